import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { describe, expect, it } from 'vitest'
import { openTraces, readTrace } from '../fixtures/spans.ts'

type Exporter = ConstructorParameters<typeof BatchSpanProcessor>[0]['exporter']
type Compression = NonNullable<NonNullable<ConstructorParameters<typeof ProtobufExporter>[0]>['compression']>

const EXPORTERS: Readonly<Record<string, (url: string) => Exporter>> = {
  protobuf: (url) => new ProtobufExporter({ url }),
  'protobuf with gzip': (url) => new ProtobufExporter({ url, compression: 'gzip' as Compression }),
  JSON: (url) => new JsonExporter({ url }) as unknown as Exporter,
  'JSON with gzip': (url) => new JsonExporter({ url, compression: 'gzip' as Compression }) as unknown as Exporter,
}

describe.each(Object.entries(EXPORTERS))(
  'what OpenTelemetry’s exporter for JavaScript sends as %s',
  (_name, exporterTo) => {
    it('is shown with everything that the program said', async () => {
      await using console = await openTraces()
      const exporter = exporterTo(`${console.url}/v1/traces`)
      const provider = new TracerProvider({
        resource: resourceFromAttributes({ 'service.name': 'shop', 'service.version': '1.2.3' }),
        spanProcessors: [new BatchSpanProcessor({ exporter })],
      })
      const tracer = provider.getTracer('till', '7')
      const before = Date.now()
      const parent = tracer.startSpan('sell <b>beer</b>', { kind: SpanKind.SERVER })
      const context = trace.setSpan(ROOT_CONTEXT, parent)
      const child = tracer.startSpan(
        'charge',
        {
          kind: SpanKind.CLIENT,
          links: [{ context: parent.spanContext(), attributes: { why: 'again' } }],
          attributes: {
            text: 'ünïcode 🍺',
            whole: 42,
            negative: -7,
            large: 2 ** 40,
            fraction: 0.25,
            yes: true,
            no: false,
            list: ['a', 'b'],
            numbers: [1, 2.5],
          },
        },
        context,
      )
      child.addEvent('retry', { attempt: 2 })
      child.setStatus({ code: SpanStatusCode.ERROR, message: 'card refused' })
      child.end()
      parent.setStatus({ code: SpanStatusCode.OK })
      parent.end()
      await provider.shutdown()

      const { traceId, spanId } = parent.spanContext()
      const spans = await readTrace(console, traceId)
      expect(spans.map(({ name }) => name)).toEqual(['sell <b>beer</b>', 'charge'])
      const [shownParent, shownChild] = spans
      expect(shownParent).toMatchObject({
        traceId,
        spanId,
        kind: 'server',
        service: 'shop',
        status: 'ok',
        scope: 'till',
      })
      expect(shownParent?.parentSpanId).toBeUndefined()
      expect(shownParent?.resource).toMatchObject({ 'service.version': '1.2.3' })
      expect(shownChild).toMatchObject({
        traceId,
        spanId: child.spanContext().spanId,
        parentSpanId: spanId,
        kind: 'client',
        status: 'error',
        statusMessage: 'card refused',
        attributes: {
          text: 'ünïcode 🍺',
          whole: 42,
          negative: -7,
          large: 2 ** 40,
          fraction: 0.25,
          yes: true,
          no: false,
          list: ['a', 'b'],
          numbers: [1, 2.5],
        },
        events: [{ name: 'retry', attributes: { attempt: 2 } }],
        links: [{ traceId, spanId, attributes: { why: 'again' } }],
      })
      for (const span of spans) {
        expect(span.startedAt).toBeGreaterThan(before - 1000)
        expect(span.startedAt + span.durationMs).toBeLessThan(Date.now() + 1000)
      }
    })
  },
)
