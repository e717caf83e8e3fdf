import { join } from 'node:path'
import { endingWithParent, type NodeProcess, startNode } from '@taproom/processes'
import { eventually } from '@taproom/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

/** Runs the demo service; `line(msg)` waits for its log line of that message. */
function run(env: Record<string, string>) {
  const lines: Record<string, unknown>[] = []
  let stderr = ''
  const child = startNode({
    args: endingWithParent(join(import.meta.dirname, 'demo-process.ts')),
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', ...env },
    onLine(text, source) {
      if (source === 'stderr') stderr += `${text}\n`
      else lines.push(JSON.parse(text))
    },
  })
  const exit = child.ended.then(({ code }) => ({ code, stderr, lines }))
  const find = (msg: string) => {
    const found = lines.find((line) => line['msg'] === msg)
    if (found === undefined) throw new Error(`no line says ${msg}: ${stderr}`)
    return found
  }
  const line = (msg: string) => eventually(() => find(msg))
  return { child, exit, line }
}

const children: NodeProcess[] = []
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.kill()))
})

/** Runs the demo service until the test has ended. */
function started(env: Record<string, string>) {
  const demo = run(env)
  children.push(demo.child)
  return demo
}

describe('a running service', () => {
  let demo: ReturnType<typeof run>
  beforeAll(() => {
    demo = run({ MANAGEMENT_PORT: '0' })
  })
  afterAll(() => demo.child.kill())

  it('decisions 3.23: logs one JSON object a line and no secrets', async () => {
    expect(await demo.line('demo ready')).toMatchObject({ level: 'info', service: 'demo', token: '[redacted]' })
  })

  it('decisions 3.44: says both its ports when management has one of its own', async () => {
    const { port, managementPort } = await demo.line('demo ready')
    const statusAt = async (at: unknown) => (await fetch(`http://127.0.0.1:${at}/q/health`)).status
    expect([await statusAt(port), await statusAt(managementPort)]).toEqual([404, 200])
  })

  it('makes another one on its port exit 1 with one line', async () => {
    const { port } = await demo.line('demo ready')
    const { code, stderr } = await started({ PORT: String(port) }).exit
    expect(code).toBe(1)
    expect(JSON.parse(stderr)).toMatchObject({ problems: [expect.stringContaining(`port ${port} is in use`)] })
  })

  it('has written what it logged, even when it is killed in the next moment', async () => {
    const { port } = await demo.line('demo ready')
    await expect(fetch(`http://127.0.0.1:${port}/killed`)).rejects.toThrow()
    const { lines } = await demo.exit
    expect(lines.flatMap(({ msg, i }) => (msg === 'written' ? [i] : []))).toEqual([0, 1, 2, 3, 4])
  })
})

describe('a service', () => {
  it('exits 1 with one line that has every configuration problem', async () => {
    const { code, stderr, lines } = await started({ PORT: 'abc', LOG_LEVEL: 'loud' }).exit
    expect(code).toBe(1)
    expect(lines).toEqual([])
    expect(JSON.parse(stderr)).toMatchObject({
      level: 'fatal',
      msg: 'demo failed to start',
      problems: ['PORT="abc": expected a whole number from 0 to 65535', expect.stringContaining('LOG_LEVEL="loud"')],
    })
  })

  it('decisions 1.75: exits 0 at once on SIGTERM when nothing is in flight', async () => {
    const { child, line, exit } = started({ SHUTDOWN_GRACE_MS: '60000' })
    await line('demo ready')
    child.signal('SIGTERM')
    expect(await exit).toMatchObject({ code: 0 })
  })

  it('lets a request in flight finish before it exits 0, although a library goes on with something', async () => {
    const { child, line, exit } = started({ SHUTDOWN_GRACE_MS: '60000' })
    const { port } = await line('demo ready')
    await (await fetch(`http://127.0.0.1:${port}/retry`, { headers: { Connection: 'close' } })).text()
    const slow = await fetch(`http://127.0.0.1:${port}/slow`)
    child.signal('SIGTERM')
    expect(await slow.text()).toBe('done')
    expect(await exit).toMatchObject({ code: 0, stderr: '' })
  })

  it('decisions 1.75: ends what still hangs within the grace and exits 0', async () => {
    const { child, line, exit } = started({ SHUTDOWN_GRACE_MS: '5000' })
    const { port } = await line('demo ready')
    const hanging = await fetch(`http://127.0.0.1:${port}/hang`)
    child.signal('SIGTERM')
    expect(await exit).toMatchObject({ code: 0 })
    await expect(hanging.text()).rejects.toThrow()
  })

  it('exits 1 when closing takes longer than the grace', async () => {
    const { child, line, exit } = started({ SHUTDOWN_GRACE_MS: '200', DEMO_CLOSE_MS: '60000' })
    await line('demo ready')
    child.signal('SIGTERM')
    const { code, lines } = await exit
    expect(code).toBe(1)
    expect(lines.at(-1)).toMatchObject({ level: 'error', msg: 'not stopped within the grace' })
  })

  it('decisions 3.22: opens no debugger by SIGUSR1 in production', async () => {
    const { child, line, exit } = started({ NODE_ENV: 'production' })
    await line('demo ready')
    child.signal('SIGUSR1')
    expect(await line('no debugger is opened in production')).toMatchObject({ level: 'warn' })
    child.signal('SIGTERM')
    expect(await exit).toMatchObject({ code: 0, stderr: '' })
  })

  it('exits 1 on a second signal', async () => {
    const { child, line, exit } = started({})
    const { port } = await line('demo ready')
    const hanging = await fetch(`http://127.0.0.1:${port}/hang`)
    child.signal('SIGTERM')
    await line('stopping')
    child.signal('SIGINT')
    expect(await exit).toMatchObject({ code: 1 })
    await expect(hanging.text()).rejects.toThrow()
  })

  it('exits 1 with one line on an exception that nobody caught', async () => {
    const { line, exit } = started({})
    const { port } = await line('demo ready')
    await expect(fetch(`http://127.0.0.1:${port}/throw`)).rejects.toThrow()
    const { code, stderr } = await exit
    expect(code).toBe(1)
    expect(JSON.parse(stderr)).toMatchObject({ msg: 'uncaught exception', err: { message: 'nobody listens' } })
  })
})
