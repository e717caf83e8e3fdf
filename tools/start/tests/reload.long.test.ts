import { readSse, type ServerSentEvent, waitFor } from '@taproom/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { controlOf } from './fixtures/control.ts'
import { REFUSED, RESTARTED, reloadLog } from './fixtures/reload-log.ts'
import { makeSurroundings, runStartIn, type StartRun, waitUntilReady } from './fixtures/system.ts'
import { copyWorkspace } from './fixtures/workspace.ts'

/** Longer than any test: who waited for a session to end would not be done in time. */
const SESSION_MS = 300_000

describe('pnpm start, when sources change', () => {
  let place: Awaited<ReturnType<typeof makeSurroundings>>
  let workspace: Awaited<ReturnType<typeof copyWorkspace>>
  let start: StartRun
  let log: ReturnType<typeof reloadLog>
  beforeAll(async () => {
    place = await makeSurroundings()
    workspace = await copyWorkspace()
    await workspace.edit(
      'packages/messaging/src/kafka/group-timing.ts',
      'DEFAULT_SESSION_TIMEOUT_MS = 6000',
      `DEFAULT_SESSION_TIMEOUT_MS = ${SESSION_MS}`,
    )
    start = runStartIn(workspace.root, {
      ...place.variables,
      KAFKA_SESSION_TIMEOUT_MS: String(SESSION_MS),
      BEER_INTERVAL_MS: '200',
    })
    await waitUntilReady(start)
    log = reloadLog(start)
  })
  afterEach(({ task }) => {
    // Why it failed is told only by what the services said.
    if (task.result?.state === 'fail') process.stderr.write(start.stdout())
  })
  afterAll(async () => {
    await start[Symbol.asyncDispose]()
    await workspace[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
  })

  const statuses = async () =>
    Object.fromEntries((await controlOf(place.variables).list()).map((one) => [one.name, one]))
  const pidOf = async (name: string) => (await statuses())[name]?.pid
  const append = (file: string, text: string) => workspace.edit(file, /$/, text)
  let edits = 0
  /** Any change that does not matter. */
  const touch = (file: string) => {
    edits += 1
    return append(file, `// ${edits}\n`)
  }

  it('decisions 3.74: restarts just the services that use it, on the same port', async () => {
    const before = await statuses()
    const line = await log.after('claim-api', () => touch('apps/claim-api/src/claim-routes.ts'))
    expect(line).toMatchObject({ msg: RESTARTED, changed: ['apps/claim-api/src/claim-routes.ts'] })
    const { 'claim-api': was, ...others } = before
    const now = await statuses()
    for (const [name, { pid }] of Object.entries(others)) expect([name, now[name]?.pid]).toEqual([name, pid])
    expect(now['claim-api']).toMatchObject({ port: was?.port, crashes: 0 })
    expect(now['claim-api']?.pid).not.toBe(was?.pid)
  })

  it('decisions 3.75: answers every request through 20 restarts', async () => {
    const answers = new Map<number | string, number>()
    const asking: Promise<void>[] = []
    const ask = async () => {
      const answer = await fetch(`${place.url}/secure/claim`).then(
        (response) => response.status,
        (error: unknown) => String(error),
      )
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
    }
    const timer = setInterval(() => asking.push(ask()), 20)
    try {
      for (let restarts = 0; restarts < 20; restarts += 1) {
        const line = await log.after('claim-api', () => touch('apps/claim-api/src/app.ts'))
        expect(line.msg).toBe(RESTARTED)
      }
    } finally {
      clearInterval(timer)
    }
    await Promise.all(asking)
    expect([...answers.keys()]).toEqual([401])
    expect(answers.get(401)).toBeGreaterThan(20)
  })

  it('lets clients of the stream resume without a gap', async () => {
    const seen: ServerSentEvent[] = []
    const stop = new AbortController()
    let connections = 0
    const reading = (async () => {
      while (!stop.signal.aborted) {
        connections += 1
        const last = seen.at(-1)?.id
        const headers = last === undefined ? {} : { 'last-event-id': last }
        for await (const event of readSse(`${place.url}/beer`, { headers, signal: stop.signal })) {
          if (event.event === 'message') seen.push(event)
        }
      }
    })()
    for (let restarts = 1; restarts <= 3; restarts += 1) {
      const { length } = seen
      await waitFor('beers', () => seen.length > length + 2)
      await log.after('beer-stream', () => touch('apps/beer-stream/src/config.ts'))
      await waitFor('another connection', () => connections > restarts)
    }
    const { length } = seen
    await waitFor('beers after the last restart', () => seen.length > length)
    stop.abort()
    await reading
    const [first, ...others] = seen.map(({ id }) => id)
    const replayed: (string | undefined)[] = []
    for await (const { id } of readSse(`${place.url}/beer`, { headers: { 'last-event-id': first ?? '' } })) {
      if (replayed.push(id) === others.length) break
    }
    expect(others).toEqual(replayed)
  })

  it('has consumers leave their groups and join them at once', async () => {
    const priced = async () => {
      for await (const { event } of readSse(`${place.url}/beer`)) if (event === 'message') return true
      return false
    }
    expect((await log.after('price-generator', () => touch('apps/price-generator/src/config.ts'))).msg).toBe(RESTARTED)
    await waitFor('priced beers', priced)
    expect((await log.after('event-platform', () => touch('apps/event-platform/src/config.ts'))).msg).toBe(RESTARTED)
    await sendEvent('after-restart')
    await waitFor('the event at both sinks', () => received('after-restart').length >= 2)
  })

  it('decisions 3.76: leaves the process as it is that cannot be replaced, and says where the error is', async () => {
    const pid = await pidOf('claim-api')
    const app = await workspace.read('apps/claim-api/src/app.ts')
    const lines = app.split('\n').length
    const syntax = await log.after('claim-api', () => append('apps/claim-api/src/app.ts', 'const x: = 3\n'))
    expect(syntax).toMatchObject({ msg: REFUSED, at: `apps/claim-api/src/app.ts:${lines}` })
    expect(syntax.reason).toMatch(/^SyntaxError/)
    expect(await pidOf('claim-api')).toBe(pid)
    expect((await log.after('claim-api', () => workspace.swap('apps/claim-api/src/app.ts', app))).msg).toBe(RESTARTED)

    const repaired = await pidOf('claim-api')
    const routes = await workspace.read('apps/claim-api/src/claim-routes.ts')
    const missing = await log.after('claim-api', () =>
      workspace.swap('apps/claim-api/src/claim-routes.ts', `import './later.ts'\n${routes}`),
    )
    expect(missing).toMatchObject({ msg: REFUSED, at: 'apps/claim-api/src/claim-routes.ts' })
    const config = await log.after('claim-api', async () => {
      await workspace.edit(
        'apps/claim-api/src/config.ts',
        'parseEnv(env, (read) => {',
        "parseEnv(env, (read) => {\n    read.problem('CLAIM', 'is not set')",
      )
      await workspace.swap('apps/claim-api/src/later.ts', '')
    })
    expect(config).toMatchObject({ msg: REFUSED, reason: 'CLAIM: is not set' })
    expect(await pidOf('claim-api')).toBe(repaired)
    expect((await fetch(`${place.url}/secure/claim`)).status).toBe(401)
    const fixed = await log.after('claim-api', () =>
      workspace.edit('apps/claim-api/src/config.ts', "\n    read.problem('CLAIM', 'is not set')", ''),
    )
    expect(fixed.msg).toBe(RESTARTED)
  })

  it('decisions 3.76: runs the sources as they were when the start fails, also after a crash', async () => {
    const failed = await log.after('claim-api', () =>
      workspace.edit(
        'apps/claim-api/src/claim-api.ts',
        'assemble(async (use) => {',
        "assemble(async (use) => {\n    if (log !== undefined) throw new TypeError('broken on purpose')",
      ),
    )
    expect(failed).toMatchObject({
      msg: REFUSED,
      reason: expect.stringContaining('broken on purpose'),
      at: expect.stringMatching(/^apps\/claim-api\/src\/claim-api\.ts:\d+$/),
    })
    expect((await fetch(`${place.url}/secure/claim`)).status).toBe(401)
    const { 'claim-api': { pid = 0, crashes = 0 } = {} } = await statuses()
    process.kill(pid, 'SIGKILL')
    await waitFor('the start after the crash', async () => {
      const { 'claim-api': now } = await statuses()
      return now?.state === 'ready' && now.crashes === crashes + 1
    })
    expect((await fetch(`${place.url}/secure/claim`)).status).toBe(401)
    const fixed = await log.after('claim-api', () =>
      workspace.edit(
        'apps/claim-api/src/claim-api.ts',
        "\n    if (log !== undefined) throw new TypeError('broken on purpose')",
        '',
      ),
    )
    expect(fixed.msg).toBe(RESTARTED)
  })

  it('gives a running sink its new sources, and leaves it alone while they cannot be loaded', async () => {
    await sendEvent('before')
    await waitFor('the event at both sinks', () => received('before').length >= 2)
    const broken = await log.after('aloha-sink', () => append('apps/aloha-sink/src/main.ts', 'const x: = 3\n'))
    expect(broken).toMatchObject({ msg: REFUSED, at: expect.stringMatching(/^apps\/aloha-sink\/src\/main\.ts:\d+$/) })
    const line = await log.after('aloha-sink', async () => {
      const text = await workspace.read('apps/aloha-sink/src/main.ts')
      await workspace.swap(
        'apps/aloha-sink/src/main.ts',
        text.replace('const x: = 3\n', '').replace("sink: 'eventingaloha'", "sink: 'changed'"),
      )
    })
    expect(line.msg).toBe(RESTARTED)
    await sendEvent('after')
    await waitFor('the event at the changed sink', () => received('after').some(({ sink }) => sink === 'changed'))
    await waitFor('the event at the other one', () => received('after').some(({ sink }) => sink === 'eventingbonjour'))
  })

  async function sendEvent(id: string): Promise<void> {
    const headers = { 'ce-id': id, 'ce-specversion': '1.0', 'ce-type': 'greeting', 'ce-source': 'test' }
    const response = await fetch(`${place.url}/brokers/default/default`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(response.status).toBe(202)
  }

  function received(id: string): readonly { readonly sink: string }[] {
    return start
      .stdout()
      .split('\n')
      .filter((line) => line.includes('"event received"'))
      .map((line) => JSON.parse(line))
      .filter(({ event }) => event.id === id)
  }
})
