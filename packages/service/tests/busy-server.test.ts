import { once } from 'node:events'
import type { Socket } from 'node:net'
import { tracing } from '@taproom/core/spans'
import { eventually, recordSpans } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { createBareApp, createLogger, createMetrics, forManagement, type Metrics } from '../src/index.ts'
import { answerOf, open, request, start } from './raw-client.ts'

const TRIES = 20
const HALF_SENT = 'POST /bad HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'

interface Begun {
  readonly path: string
  readonly trace: string | undefined
}

/** A server that answers in the next turn of the event loop, and what it has begun. */
async function startBusy() {
  const metrics = createMetrics()
  const begun: Begun[] = []
  /** How many it had begun when it answered the first. */
  let atFirstAnswer: number | undefined
  const measure: Metrics['measure'] = (req, res, next) => {
    if (req.url === '/unmeasured') throw new Error('a defect')
    return metrics.measure(req, res, next)
  }
  const app = createBareApp({
    log: createLogger('busy', { level: 'silent' }),
    metrics: { ...metrics, measure },
    routes: [
      (req, _res, next) => {
        begun.push({ path: req.url ?? '', trace: tracing()?.ids()?.trace_id })
        next()
      },
      forManagement(metrics.routes),
      (_req, res) =>
        void setImmediate(() => {
          atFirstAnswer ??= begun.length
          res.end('later')
        }),
    ],
  })
  const server = await start(app)

  async function connected(count: number): Promise<Socket[]> {
    const clients = Array.from({ length: count }, () => open(server.port))
    await Promise.all(clients.map((client) => once(client, 'connect')))
    // Until the server has them, too.
    for (const client of clients) client.write(request('/first'))
    await Promise.all(clients.map((client) => once(client, 'data')))
    return clients
  }

  /** Sends all at once, each by a connection of its own, again until some of them had to wait. */
  async function ask(
    messages: readonly string[],
    {
      requests = messages.length,
      meanwhile = (_: readonly Socket[]): void => {},
      settled = async (_tries: number): Promise<void> => {},
    } = {},
  ) {
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const clients = await connected(messages.length)
      begun.length = 0
      atFirstAnswer = undefined
      for (const [index, client] of clients.entries()) client.write(messages[index] ?? '')
      meanwhile(clients)
      const answers = await Promise.all(clients.map(answerOf))
      await settled(tries)
      if (atFirstAnswer !== undefined && atFirstAnswer < requests) return { answers, begun: [...begun], tries }
    }
    throw new Error('none of the requests had to wait')
  }

  const count = async (tags: string) => {
    const text = await (await fetch(`${server.url}/q/metrics`)).text()
    return Number(new RegExp(`^http_server_requests_seconds_count\\{${tags}\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
  }
  return { ask, count }
}

const paths = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`)
const asked = (path: string, more = '') => request(path, `Connection: close\r\n${more}`)
const sorted = (begun: readonly Begun[]) => begun.map(({ path }) => path).toSorted()

describe('a server with more requests than it begins in a turn', () => {
  it('decisions 3.133: begins all of them, and what is for who runs it before those that wait', async () => {
    const { ask } = await startBusy()
    const { answers, begun } = await ask([...paths(80).map((path) => asked(path)), asked('/q/metrics')])
    expect(answers.filter(({ answer }) => answer.endsWith('later'))).toHaveLength(80)
    expect(sorted(begun)).toEqual(['/q/metrics', ...paths(80)].toSorted())
    expect(begun.findIndex(({ path }) => path === '/q/metrics')).toBeLessThan(80)
  })

  it('counts each once', async () => {
    const { ask, count } = await startBusy()
    const { tries } = await ask(paths(40).map((path) => asked(path)))
    expect(await count('method="GET",uri="UNKNOWN",status="200",outcome="SUCCESS"')).toBe(80 * tries)
  })

  it('does not begin one whose connection it has refused meanwhile, and counts it', async () => {
    const { ask, count } = await startBusy()
    const { answers, begun, tries } = await ask([...paths(40).map((path) => asked(path)), HALF_SENT])
    expect(answers[40]?.answer).toMatch(/HTTP\/1\.1 400 /)
    expect(sorted(begun)).toEqual(paths(40).toSorted())
    expect(await count('method="POST",uri="UNKNOWN",status="499",outcome="CLIENT_ERROR"')).toBe(tries)
  })

  it('does not begin those whose client has left meanwhile, and counts them', async () => {
    const { ask, count } = await startBusy()
    const meanwhile = (clients: readonly Socket[]) => {
      for (const client of clients) client.destroy()
    }
    // Their connections end here before the server knows of it.
    const settled = async (tries: number) => {
      const ended = async () =>
        (await count('method="GET",uri="UNKNOWN",status="200",outcome="SUCCESS"')) +
        (await count('method="GET",uri="UNKNOWN",status="499",outcome="CLIENT_ERROR"'))
      await eventually(async () => expect(await ended()).toBe(400 * tries))
    }
    const all = paths(200).map((path) => asked(path))
    const { begun } = await ask(all, { meanwhile, settled })
    expect(begun.filter(({ path }) => path !== '/q/metrics').length).toBeLessThan(200)
  })

  it('answers one that cannot be measured with 500, and goes on', async () => {
    const { ask } = await startBusy()
    const { answers } = await ask([...paths(40), '/unmeasured'].map((path) => asked(path)))
    expect(answers[40]?.answer).toMatch(/^HTTP\/1\.1 500 /)
    expect(answers.filter(({ answer }) => answer.endsWith('later'))).toHaveLength(40)
  })

  it('begins each in its own trace', async () => {
    await using _spans = await recordSpans()
    const { ask } = await startBusy()
    const trace = (path: string) => path.slice(1).padStart(32, 'a')
    const { begun } = await ask(
      paths(40).map((path) => asked(path, `traceparent: 00-${trace(path)}-b7ad6b7169203331-01\r\n`)),
    )
    expect(begun).toEqual(begun.map(({ path }) => ({ path, trace: trace(path) })))
  })
})

describe('requests of one connection', () => {
  it('are each begun in their own trace, not in the one before', async () => {
    await using _spans = await recordSpans()
    const { ask } = await startBusy()
    const traced = request('/1', `traceparent: 00-${'1'.repeat(32)}-b7ad6b7169203331-01\r\n`)
    const { begun } = await ask([traced + asked('/q/metrics')], { requests: 2 })
    expect(begun).toEqual([
      { path: '/1', trace: '1'.repeat(32) },
      { path: '/q/metrics', trace: undefined },
    ])
  })
})
