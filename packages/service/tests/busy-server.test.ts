import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { tracing } from '@taproom/spans'
import { recordSpans } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { createBareApp, createLogger, createMetrics, forManagement } from '../src/index.ts'
import { answerOf, open, request, start } from './raw-client.ts'

const HALF_SENT = 'POST /bad HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'

/** A server, and what one turn of its event loop brings: the requests, each of a connection of its own. */
async function startBusy() {
  const metrics = createMetrics()
  const begun: string[] = []
  const spans: unknown[] = []
  const app = createBareApp({
    log: createLogger('busy', { level: 'silent' }),
    metrics,
    routes: [
      (req, _res, next) => {
        begun.push(req.url ?? '')
        spans.push(tracing()?.ids()?.trace_id)
        next()
      },
      forManagement(metrics.routes),
      (_req, res: ServerResponse) => void setImmediate(() => res.end('later')),
    ],
  })
  const server = await start(app)
  const ask = async (...heads: readonly string[]) => {
    const clients = heads.map(() => open(server.port))
    await Promise.all(clients.map((client) => once(client, 'connect')))
    // Until the server has them, too.
    for (const client of clients) client.write(request('/first'))
    await Promise.all(clients.map((client) => once(client, 'data')))
    begun.length = 0
    spans.length = 0
    for (const [index, client] of clients.entries()) client.write(heads[index] ?? '')
    // The server is in this process, and finds them all at once, even where the system takes a while to bring them.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    return await Promise.all(clients.map(answerOf))
  }
  const scrape = async () => (await (await fetch(`${server.url}/q/metrics`)).text()).split('\n')
  return { ask, scrape, begun, spans }
}

const paths = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`)
const asked = (path: string, more = '') => request(path, `Connection: close\r\n${more}`)

describe('a server with more requests than it begins in a turn', () => {
  it('decisions 3.133: begins them in their order, and what is for who runs it at once', async () => {
    const { ask, begun } = await startBusy()
    const answers = await ask(...[...paths(40), '/q/metrics', '/40'].map((path) => asked(path)))
    expect(answers.filter(({ answer }) => answer.endsWith('later'))).toHaveLength(41)
    expect(begun).toEqual([...paths(16), '/q/metrics', ...paths(41).slice(16)])
  })

  it('counts each once', async () => {
    const { ask, scrape } = await startBusy()
    await ask(...paths(40).map((path) => asked(path)))
    const tags = 'method="GET",uri="UNKNOWN",status="200",outcome="SUCCESS"'
    expect(await scrape()).toContain(`http_server_requests_seconds_count{${tags}} 80`)
  })

  it('does not begin one whose connection it has refused meanwhile, and counts it', async () => {
    const { ask, scrape, begun } = await startBusy()
    const answers = await ask(...paths(20).map((path) => asked(path)), `${HALF_SENT}zz\r\n`)
    expect(answers[20]?.answer).toMatch(/HTTP\/1\.1 400 /)
    expect(begun).toEqual(paths(20))
    const tags = 'method="POST",uri="UNKNOWN",status="499",outcome="CLIENT_ERROR"'
    expect(await scrape()).toContain(`http_server_requests_seconds_count{${tags}} 1`)
  })

  it('begins each in its own trace', async () => {
    await using _spans = await recordSpans()
    const { ask, spans } = await startBusy()
    const traces = paths(40).map((path) => path.slice(1).padStart(32, 'a'))
    await ask(...traces.map((trace) => asked('/traced', `traceparent: 00-${trace}-b7ad6b7169203331-01\r\n`)))
    expect(spans).toEqual(traces)
  })
})

describe('requests of one connection', () => {
  it('are each begun in their own trace, not in the one before', async () => {
    await using _spans = await recordSpans()
    const { ask, spans } = await startBusy()
    const traced = request('/1', `traceparent: 00-${'1'.repeat(32)}-b7ad6b7169203331-01\r\n`)
    await ask(traced + asked('/q/metrics'))
    expect(spans).toEqual(['1'.repeat(32), undefined])
  })
})
