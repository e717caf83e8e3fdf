import { trace } from '@opentelemetry/api'
import { defaultResource } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { recordSpans, type SpanRecorder } from '@taproom/testkit'
import { createSampling } from '../src/tracer/sampling.ts'
import { SPAN_LIMITS } from '../src/tracer/span-sink.ts'
import { createTracerProvider } from '../src/tracer/tracer.ts'

/** As `recordSpans`, with the tracer of this package in place of the SDK's. It does not know which spans are open. */
export async function recordOwnSpans(): Promise<SpanRecorder> {
  const recorder = await recordSpans()
  const ended: ReadableSpan[] = []
  const sink = {
    resource: defaultResource(),
    limits: SPAN_LIMITS,
    ended: (span: ReadableSpan) => void ended.push(span),
  }
  const sampling = createSampling({ name: 'parentbased_always_on', ratio: 1 })
  trace.disable()
  trace.setGlobalTracerProvider(createTracerProvider({ sampling, sink }))
  return {
    ended,
    open: () => [],
    clear: () => void ended.splice(0),
    [Symbol.asyncDispose]: () => recorder[Symbol.asyncDispose](),
  }
}
