import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'
import { startKafka, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSurroundings, runStart, type StartRun, waitUntilReady } from './fixtures/system.ts'
import { system } from './fixtures/taproom.ts'

/** A span as OpenTelemetry's own classes for Python read it from what was exported. */
interface ExportedSpan {
  readonly service: string
  readonly name: string
  readonly kind: string
  readonly trace: string
  readonly span: string
  readonly parent: string
  readonly isEnded: boolean
  readonly attributes: Readonly<Record<string, unknown>>
  readonly links: readonly string[]
}

/** A Python with `opentelemetry-proto`. */
const python = process.env['OTEL_PYTHON'] ?? 'python3'
const hasProto = await run(python, ['-c', 'import opentelemetry.proto.trace.v1.trace_pb2']).then(
  () => true,
  () => false,
)

async function startCollector() {
  const child = spawn(python, [fileURLToPath(new URL('./fixtures/collector.py', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const spans: ExportedSpan[] = []
  const ready = Promise.withResolvers<number>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const read = JSON.parse(line) as ExportedSpan & { readonly port?: number }
    if (read.port === undefined) spans.push(read)
    else ready.resolve(read.port)
  })
  const port = await ready.promise
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    async [Symbol.asyncDispose]() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

describe('traces, as a collector of others reads them', { tags: 'otel-python', skip: !hasProto }, () => {
  const opened = new AsyncDisposableStack()
  let place: Awaited<ReturnType<typeof makeSurroundings>>
  let collector: Awaited<ReturnType<typeof startCollector>>
  let start: StartRun
  beforeAll(async () => {
    place = opened.use(await makeSurroundings())
    collector = opened.use(await startCollector())
    const { bootstrapServers } = opened.use(await startKafka())
    start = opened.use(
      runStart({
        ...place.variables,
        KAFKA_BOOTSTRAP_SERVERS: bootstrapServers,
        ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '200', LOG_LEVEL: 'info' },
      }),
    )
    await waitUntilReady(start)
  })
  afterAll(async () => {
    await opened.disposeAsync()
  })

  const newTrace = () => crypto.randomUUID().replaceAll('-', '')
  const caller = (trace: string) => ({ traceparent: `00-${trace}-b7ad6b7169203331-01` })
  /** The names on the way from each leaf of a trace to its root. */
  const ways = (trace: string) => {
    const own = collector.spans.filter((span) => span.trace === trace)
    const wayOf = ({ service, name, parent }: ExportedSpan): string[] => {
      const before = own.find(({ span }) => span === parent)
      return [...(before === undefined ? [] : wayOf(before)), `${service} ${name}`]
    }
    return own.filter(({ span }) => !own.some(({ parent }) => parent === span)).map(wayOf)
  }

  it('is one from the gateway to the films and back', async () => {
    const trace = newTrace()
    await waitFor('films', async () => {
      const answer = await fetch(`${place.url}/movie?year=1980`, { headers: caller(trace) })
      return answer.status === 200
    })
    const service = ['gateway GET', 'gateway GET', 'movie-api GET /movie']
    await waitFor('the trace', () => ways(trace).some((way) => way.length === 5))
    await waitFor('the gateway', () =>
      collector.spans.some((span) => span.trace === trace && span.parent === 'b7ad6b7169203331'),
    )
    expect(ways(trace)).toContainEqual([...service, 'movie-api SELECT films'])
    expect(ways(trace)).toContainEqual([...service, 'movie-api film service', 'movie-api GET'])
  })

  it('is one from the gateway over Kafka to both sinks, which were at zero, and their log lines', async () => {
    const trace = newTrace()
    const event = { 'ce-id': trace, 'ce-source': 'test', 'ce-type': 'greeting', 'ce-specversion': '1.0' }
    await waitFor('the event to be taken', async () => {
      const headers = { ...caller(trace), ...event }
      return (await fetch(`${place.url}/brokers/default/default`, { method: 'POST', headers })).status === 202
    })
    const topic = 'knative-broker.default.default'
    const way = [
      ...['gateway POST', 'gateway POST', 'event-platform POST', `event-platform send ${topic}`],
      ...[`event-platform process ${topic}`, 'event-platform deliver', 'event-platform POST'],
    ]
    const told = () => ways(trace).map((names) => names.join(' > '))
    const complete = (sink: string) => [...way, `${sink} POST /`].join(' > ')
    await waitFor('both sinks', () => ['aloha-sink', 'bonjour-sink'].every((sink) => told().includes(complete(sink))))
    const waits = collector.spans.filter((span) => span.trace === trace && span.name === 'wait for instance')
    expect(waits.map(({ attributes }) => Number(attributes['instance.start_ms']) > 0)).toEqual([true, true])
    const received = () => {
      const all = start.stdout().split('\n')
      return all.filter((line) => line.includes('event received') && line.includes(trace))
    }
    const lines = await waitFor('the lines of both', () => received().length >= 2 && received())
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      lines.map(() => expect.objectContaining({ trace_id: trace, span_id: expect.stringMatching(/^[\da-f]{16}$/) })),
    )
  })

  it('is one for a beer, from the generator over the price to the stream', async () => {
    const beer = ['beer-generator send beer', 'price-generator process beer', 'beer-stream process priced-beer']
    const isWhole = ({ name, trace }: ExportedSpan) =>
      name === 'process priced-beer' && ways(trace).some((way) => way.join() === beer.join())
    const last = await waitFor('a beer', () => collector.spans.find(isWhole))
    const isItsTransaction = ({ name, links }: ExportedSpan) => name === 'receive beer' && links.includes(last.trace)
    await waitFor('its transaction', () => collector.spans.some(isItsTransaction))
  })

  it('has a span for each request to each app, and every span has an end', async () => {
    const traces = Object.fromEntries(
      [...Object.keys(system.apps), 'gateway'].map((name) => [name, newTrace()] as const),
    )
    const portOf = (name: string) => {
      const found = start.stderr().match(new RegExp(`^  ${name} +\\S+:(\\d+)`, 'm'))?.[1]
      return name === 'gateway' ? new URL(place.url).port : found
    }
    for (const [name, trace] of Object.entries(traces)) {
      for (const path of ['/', '/q/health/live', '/nowhere']) {
        await (await fetch(`http://127.0.0.1:${portOf(name)}${path}`, { headers: caller(trace) })).text()
      }
    }
    const served = (name: string) =>
      collector.spans.filter((span) => span.service === name && span.kind === 'SERVER' && span.trace === traces[name])
    await waitFor('all requests', () => Object.keys(traces).every((name) => served(name).length >= 3))
    for (const name of Object.keys(traces)) {
      expect(served(name).map(({ attributes }) => attributes['url.path'])).toEqual(
        expect.arrayContaining(['/', '/q/health/live', '/nowhere']),
      )
    }
    expect(collector.spans.filter(({ isEnded }) => !isEnded)).toEqual([])
  })
})
