import { request } from 'node:http'
import { methodNotAllowed, servePaths } from '@taproom/http'
import { recordSpans, type SpanRecorder, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createBareApp,
  createLogger,
  createMetrics,
  forManagement,
  HttpProblem,
  type HttpServer,
  listen,
} from '../src/index.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const log = createLogger('spans', { level: 'silent' })

function app() {
  const metrics = createMetrics()
  return createBareApp({
    log,
    metrics,
    routes: [
      servePaths('GET', {
        '/things': (_req, res) => res.end('things'),
        '/broken': () => {
          throw new HttpProblem(502, { cause: Object.assign(new Error('secret words'), { code: 'REMOTE_AWAY' }) })
        },
        '/half': (_req, res) => {
          res.write('half')
          throw new Error('a defect')
        },
        '/never': () => undefined,
      }),
      forManagement(metrics.routes),
      methodNotAllowed('GET'),
    ],
  })
}

interface Asked {
  readonly method?: string
  readonly headers?: Record<string, string | string[]>
}

describe('the span of a request', () => {
  let spans: SpanRecorder
  let server: HttpServer
  beforeAll(async () => {
    spans = await recordSpans()
    server = await listen(app(), { host: '127.0.0.1', port: 0 })
  })
  beforeEach(() => spans.clear())
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await spans[Symbol.asyncDispose]()
  })

  async function ask(path: string, { method = 'GET', headers = {} }: Asked = {}) {
    const answer = await new Promise<{ status: number | undefined; body: string }>((resolve) => {
      const sent = request(`${server.url}${path}`, { method, headers, agent: false }, (res) => {
        let body = ''
        res.on('data', (part) => {
          body += part
        })
        res.on('close', () => resolve({ status: res.statusCode, body }))
        res.on('error', () => undefined)
      })
      sent.on('error', () => resolve({ status: undefined, body: '' }))
      sent.end()
    })
    await waitFor('no open span', () => spans.open().length === 0)
    return { ...answer, span: spans.ended.at(-1) }
  }

  it('decisions 3.84: has route, method and status, and nothing of the query', async () => {
    const { span } = await ask('/things?token=secret', {
      headers: { authorization: 'Bearer secret', 'user-agent': 'a test' },
    })
    expect(span).toMatchObject({ name: 'GET /things', kind: 1, status: { code: 0 }, parentSpanContext: undefined })
    const { port } = new URL(server.url)
    expect(span?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/things',
      'http.response.status_code': 200,
      'url.path': '/things',
      'url.scheme': 'http',
      'network.protocol.version': '1.1',
      'network.peer.address': '127.0.0.1',
      'server.address': '127.0.0.1',
      'server.port': Number(port),
      'user_agent.original': 'a test',
    })
    expect(JSON.stringify(span?.attributes)).not.toContain('secret')
  })

  it('continues the trace it is given, with its state', async () => {
    const { span } = await ask('/things', {
      headers: { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'rojo=1' },
    })
    expect(span?.spanContext()).toMatchObject({ traceId: TRACE })
    expect(span?.spanContext().traceState?.serialize()).toBe('rojo=1')
    expect(span?.parentSpanContext).toMatchObject({ traceId: TRACE, spanId: PARENT, isRemote: true })
  })

  it.each([
    ['of the wrong length', `00-${TRACE}0-${PARENT}-01`],
    ['of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['of the version ff', `ff-${TRACE}-${PARENT}-01`],
    ['in capitals', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
    ['that is too long', `01-${TRACE}-${PARENT}-01-${'0'.repeat(600)}`],
    ['that comes twice', [`00-${TRACE}-${PARENT}-01`, `00-${TRACE}-${PARENT}-01`]],
  ])('decisions 3.83: begins a new trace for a traceparent %s', async (_case, traceparent) => {
    const { span } = await ask('/things', { headers: { traceparent, tracestate: 'rojo=1' } })
    expect(span?.parentSpanContext).toBeUndefined()
    expect(span?.spanContext().traceId).not.toBe(TRACE)
    expect(span?.spanContext().traceState).toBeUndefined()
  })

  it('is left out where the caller does not sample, and the problem still has the trace id', async () => {
    const { body } = await ask('/broken', { headers: { traceparent: `00-${TRACE}-${PARENT}-00` } })
    expect(JSON.parse(body)).toMatchObject({ status: 502, trace_id: TRACE })
    expect(spans.ended).toEqual([])
  })

  it('has id and code of a problem, and not its words', async () => {
    const { status, body, span } = await ask('/broken')
    const problem = JSON.parse(body)
    expect(status).toBe(502)
    expect(problem).toMatchObject({ trace_id: span?.spanContext().traceId })
    expect(span).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': '502', 'problem.code': 'REMOTE_AWAY', 'problem.id': problem.id },
    })
    expect(JSON.stringify([span?.attributes, span?.status, span?.events])).not.toContain('secret')
  })

  it('is failed when the answer breaks off', async () => {
    const { span } = await ask('/half')
    expect(span).toMatchObject({
      name: 'GET /half',
      status: { code: 2 },
      attributes: { 'http.response.status_code': 200 },
    })
  })

  it('ends when the client leaves before an answer', async () => {
    const sent = request(`${server.url}/never`, { agent: false })
    sent.on('error', () => undefined)
    sent.end()
    await waitFor('an open span', () => spans.open().length === 1)
    sent.destroy()
    await waitFor('no open span', () => spans.open().length === 0)
    expect(spans.ended).toMatchObject([{ name: 'GET /never', attributes: { 'error.type': 'client_left' } }])
  })

  it.each([
    ['an unknown path', { method: 'POST' }, 405],
    ['a refused request', { headers: { expect: 'the unknown' } }, 417],
  ])('is there for %s, under the method alone', async (_case, asked: Asked, status) => {
    const { method = 'GET' } = asked
    const { span, body } = await ask('/elsewhere', asked)
    expect(span).toMatchObject({ name: method, attributes: { 'http.response.status_code': status } })
    expect(JSON.parse(body)).toMatchObject({ trace_id: span?.spanContext().traceId })
  })

  it('has no method of its own for a rare one', async () => {
    const { span } = await ask('/things', { method: 'PROPFIND' })
    expect(span).toMatchObject({
      name: 'HTTP /things',
      attributes: { 'http.request.method': '_OTHER', 'http.request.method_original': 'PROPFIND' },
    })
  })

  it('decisions 3.95: is an exemplar of the histogram, in OpenMetrics alone', async () => {
    const { span } = await ask('/things')
    const metrics = async (accept: string) => (await ask('/q/metrics', { headers: { accept } })).body
    const { traceId = '', spanId = '' } = span?.spanContext() ?? {}
    const text = await metrics('application/openmetrics-text; version=1.0.0')
    const lines = text.split('\n').filter((line) => line.includes(`# {trace_id="${traceId}",span_id="${spanId}"} `))
    expect(lines).toEqual([expect.stringMatching(/^http_server_requests_seconds_bucket\{.*uri="\/things".*\} \d+ # /)])
    expect(text.endsWith('\n# EOF\n')).toBe(true)
    expect(text).toMatch(/^process_cpu_seconds_total [\d.e-]+$/m)
    const plain = await metrics('text/plain')
    expect(plain).toMatch(/^process_cpu_seconds_total [\d.e-]+$/m)
    expect(plain).not.toContain('trace_id')
  })

  it('decisions 3.95: is no exemplar where it is not exported', async () => {
    const unsampled = 'f'.repeat(32)
    await ask('/broken', { headers: { traceparent: `00-${unsampled}-${PARENT}-00` } })
    const { body } = await ask('/q/metrics', { headers: { accept: 'application/openmetrics-text' } })
    expect(body).toContain('uri="/broken"')
    expect(body).not.toContain(unsampled)
  })

  it('is none for management, unless that is a part of a trace', async () => {
    await ask('/q/metrics')
    expect(spans.ended).toEqual([])
    const { span } = await ask('/q/metrics', { headers: { traceparent: `00-${TRACE}-${PARENT}-01` } })
    expect(span).toMatchObject({ name: 'GET /q/metrics' })
  })
})
