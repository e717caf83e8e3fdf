import { run } from '@taproom/processes'
import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LogLine, ServiceView, VariableView } from '../src/api/services.ts'
import type { TraceSummary } from '../src/api/traces.ts'
import { readUsage } from '../src/services/process-usage.ts'
import { type SmallSystem, startSmallSystem } from './fixtures/small-system.ts'

interface Items<T> {
  readonly items: readonly T[]
}

let system: SmallSystem
beforeAll(async () => {
  system = await startSmallSystem({
    GREETING_TOKEN: 'known to one',
    GREETING_FEED: 'http://me:my-password@feed.example/x',
    HTTP_RATE_LIMIT: '5000',
    OTEL_SERVICE_NAME: 'mine',
  })
})
afterAll(() => system[Symbol.asyncDispose]())

const services = async () =>
  Object.fromEntries(
    (await system.get<Items<ServiceView>>('/api/services')).items.map((service) => [service.name, service]),
  )
const greet = (query = '') => fetch(`${system.url}/greeting${query}`)

describe('the console of a running system', () => {
  it('is where browsers are led that open the gateway, and says what runs there', async () => {
    expect(system.console).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(await system.get('/api/system')).toEqual({
      name: 'Small',
      url: system.url,
      healthRootPath: '/q/health',
      apps: [{ name: 'greeter', serves: ['/greeting'], standIns: [] }],
    })
    const text = await (await fetch(system.url)).text()
    expect(text).toContain(`${system.url}/q/health-ui/`)
    expect(text).not.toContain('session')
  })

  it('is on loopback only', async () => {
    const { port } = new URL(system.console)
    await expect(fetch(`http://[::1]:${port}/api/system`)).rejects.toThrow()
  })

  it('shows services with what they use', async () => {
    const { greeter, console } = await waitFor('a second look', async () => {
      const seen = await services()
      return seen['greeter']?.cpu !== undefined && seen
    })
    expect(greeter).toMatchObject({ kind: 'app', state: 'ready', crashes: 0, restarts: 0, failing: [] })
    expect(console).toMatchObject({ kind: 'console', state: 'ready' })
    const [usage] = await readUsage([greeter?.pid ?? 0], undefined)
    expect(greeter?.memoryBytes).toBeGreaterThan((usage?.memoryBytes ?? 0) / 4)
    expect(greeter?.cpu).toBeGreaterThanOrEqual(0)
    expect(greeter?.startedAt).toBeLessThan(Date.now())
    expect(greeter?.port).toBeGreaterThan(0)
  })

  it('has traces of the gateway by its own name, whatever the caller is called', async () => {
    const [trace] = await waitFor('a trace', async () => {
      await greet()
      const { items } = await system.get<Items<TraceSummary>>('/api/traces')
      return items.length > 0 && items
    })
    expect(trace?.services).toContain('gateway')
  })

  it('reads what processes use by ps, too, where there is no /proc', async () => {
    const { greeter } = await services()
    const [byProc] = await readUsage([greeter?.pid ?? 0], undefined, 'linux')
    const [byPs] = await readUsage([greeter?.pid ?? 0], undefined, 'darwin')
    expect(byPs).toMatchObject({ pid: byProc?.pid, parent: byProc?.parent, command: byProc?.command })
    expect(byPs?.memoryBytes).toBeGreaterThan((byProc?.memoryBytes ?? 0) / 2)
    const children = await readUsage([], process.pid, 'darwin')
    expect(children.every(({ parent }) => parent === process.pid)).toBe(true)
  })

  it('stops, starts, restarts and kills, and counts what a service did by itself', async () => {
    const before = (await services())['greeter']
    expect(await system.send('POST', '/api/services/greeter/stop')).toMatchObject({
      status: 200,
      body: { state: 'stopped' },
    })
    expect((await greet()).status).toBe(503)
    expect(await system.send('POST', '/api/services/greeter/kill')).toMatchObject({ status: 409 })
    for (const action of ['start', 'restart']) {
      expect(await system.send('POST', `/api/services/greeter/${action}`)).toMatchObject({ status: 200 })
      await waitFor('it to be ready', async () => (await services())['greeter']?.state === 'ready')
    }
    await waitFor('both', async () => (await services())['greeter']?.restarts === 2)
    expect((await services())['greeter']).toMatchObject({ crashes: 0, port: before?.port })

    expect(await system.send('POST', '/api/services/greeter/kill')).toMatchObject({ status: 200 })
    await waitFor('the restart', async () => (await services())['greeter']?.restarts === 3)
    await waitFor('it to be ready', async () => (await services())['greeter']?.state === 'ready')
    expect((await services())['greeter']).toMatchObject({ crashes: 1, port: before?.port })
  })

  it('refuses what is no service or no action', async () => {
    const unknown = await system.send('POST', '/api/services/nothing/stop')
    expect(unknown).toMatchObject({ status: 404, body: { detail: expect.stringContaining('expected one of greeter') } })
    expect((await system.send('POST', '/api/services/greeter/explode')).status).toBe(404)
    expect((await fetch(`${system.console}/api/services/greeter/stop`, { method: 'POST' })).status).toBe(401)
    await waitFor('the service', async () => (await services())['greeter']?.state === 'ready')
  })

  it('tells a live client of each change at once', async () => {
    const views = system.live('/api/services') as AsyncGenerator<Items<ServiceView>>
    const stateOf = ({ items }: Items<ServiceView>) => items.find(({ name }) => name === 'greeter')?.state
    expect((await views.next()).done).toBe(false)
    const stopped = system.send('POST', '/api/services/greeter/stop')
    let state: string | undefined
    for await (const view of views) {
      state = stateOf(view)
      if (state === 'stopped') break
    }
    expect(state).toBe('stopped')
    await stopped
    await system.send('POST', '/api/services/greeter/start')
  })

  it('names the readiness checks that fail, and has the report of the health page', async () => {
    await greet('?not-ready')
    // A look is half a second old at most.
    const greeter = await waitFor('readiness to be DOWN', async () => {
      const seen = (await services())['greeter']
      return seen?.state === 'not ready' && seen
    })
    expect(greeter).toMatchObject({
      state: 'not ready',
      failing: [{ name: 'Mood', status: 'DOWN', data: { limit: 7 } }],
    })
    expect(await system.get('/api/health')).toMatchObject({
      services: [{ name: 'greeter', reports: { ready: { status: 'DOWN' } } }],
    })
    await system.send('POST', '/api/services/greeter/restart')
    await waitFor('readiness to be UP', async () => (await services())['greeter']?.state === 'ready')
    expect((await services())['greeter']?.failing).toEqual([])
  })

  it('decisions 3.115: shows what a service reads, where each value is from, and no secret', async () => {
    const { items } = await system.get<Items<VariableView>>('/api/services/greeter/configuration')
    const variables = Object.fromEntries(items.map((variable) => [variable.name, variable]))
    expect(variables).toMatchObject({
      GREETING: { value: 'hello', from: 'default', expected: 'a text' },
      GREETING_LIMIT: { value: '7', from: 'system', expected: 'a whole number from 1 to 10' },
      GREETING_TOKEN: { value: '[hidden]', from: 'environment' },
      GREETING_FEED: { value: 'http://***@feed.example/x', from: 'environment' },
      HTTP_RATE_LIMIT: { value: '5000', from: 'environment' },
      PORT: { from: 'start' },
      HOST: { value: '127.0.0.1', from: 'start' },
    })
    expect(JSON.stringify(items)).not.toMatch(/known to one|my-password/)
    const own = await system.get<Items<VariableView>>('/api/services/console/configuration')
    expect(own.items.find(({ name }) => name === 'CONSOLE_SECRET')).toMatchObject({ value: '[hidden]', from: 'start' })
  })

  it('decisions 3.115: has it from the control socket, where anyone of this user has it', async () => {
    const curl = async (...args: string[]) =>
      (await run('curl', ['-sS', '--unix-socket', system.socket, ...args])).stdout
    expect(JSON.parse(await curl('http://taproom/system'))).toMatchObject({
      system: { name: 'Small', url: system.url },
    })
    expect(await curl('http://taproom/services')).toContain('"name":"greeter"')
    expect(await curl('http://taproom/services/greeter/configuration')).not.toContain('known to one')
    await greet('?who=curl')
    const lines = await waitFor('the line', async () => {
      const text = await curl('http://taproom/logs?last=5')
      return text.includes('"who":"curl"') && text
    })
    expect(lines.trim().split('\n').length).toBeLessThanOrEqual(5)
    for (const line of lines.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ id: expect.any(Number) })
  })
})

describe('the logs of the console', () => {
  const logs = async (query: string) => (await system.get<Items<LogLine>>(`/api/logs?${query}`)).items

  it('are found by service, level, text and trace, and older ones by id', async () => {
    const trace = 'a'.repeat(32)
    await greet(`?who=%3Cb%3EAnna&trace=${trace}`)
    await greet('?who=Bert&level=error')
    const [anna] = await waitFor('the line', async () => {
      const found = await logs('text=%3CB%3Eanna')
      return found.length > 0 && found
    })
    expect(anna).toMatchObject({
      service: 'greeter',
      level: 'info',
      msg: 'greeted',
      traceId: trace,
      fields: { who: '<b>Anna' },
    })
    expect((await logs(`trace=${trace}`)).map(({ id }) => id)).toEqual([anna?.id])
    const [bert] = await waitFor('the other line', async () => {
      const found = await logs('level=error&service=greeter')
      return found.length > 0 && found
    })
    expect(bert).toMatchObject({ level: 'error', fields: { who: 'Bert' } })
    expect(await logs('service=nothing')).toEqual([])
    const older = await logs(`before=${anna?.id}&limit=2`)
    expect(older).toHaveLength(2)
    expect(older.every(({ id }) => id < (anna?.id ?? 0))).toBe(true)
  })

  it.each(['level=loud', 'limit=0', 'limit=many', 'before=-1'])('%s is refused', async (query) => {
    const response = await fetch(`${system.console}/api/logs?${query}`, {
      headers: { authorization: system.authorization },
    })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('expected')
  })

  it('come live, each line once, also over a connection that is made again', async () => {
    const live = system.live('/api/logs?limit=1&text=Carl') as AsyncGenerator<Items<LogLine>>
    await greet('?who=Carl1')
    const seen: LogLine[] = []
    for await (const { items } of live) {
      seen.push(...items)
      break
    }
    const last = seen.at(-1)?.id ?? 0
    await greet('?who=Carl2')
    const again = system.live('/api/logs?text=Carl', { 'last-event-id': String(last) }) as AsyncGenerator<
      Items<LogLine>
    >
    for await (const { items } of again) {
      seen.push(...items)
      if (seen.length >= 2) break
    }
    expect(seen.map(({ fields }) => fields['who'])).toEqual(['Carl1', 'Carl2'])
  })

  it('outlive a crash of the console, which comes back at its address', async () => {
    await greet('?who=Dora')
    await waitFor('the line', async () => (await logs('text=Dora')).length === 1)
    const { console: before } = await services()
    process.kill(before?.pid ?? 0, 'SIGKILL')
    await waitFor('the console', async () => (await services())['console']?.crashes === 1)
    await waitFor('the line', async () => (await logs('text=Dora')).length === 1)
    expect((await greet()).status).toBe(200)
  })
})
