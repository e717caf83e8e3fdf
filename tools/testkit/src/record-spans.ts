import { context, propagation, trace } from '@opentelemetry/api'
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace'
import { loadTracing } from '@taproom/core/spans'

/** What a test sees of the spans of this process. */
export interface SpanRecorder extends AsyncDisposable {
  /** Those that have ended, in the order of their ends. */
  readonly ended: readonly ReadableSpan[]
  /** Those that have begun and not ended. */
  open(): readonly ReadableSpan[]
  /** Forgets those that have ended. */
  clear(): void
}

/** Registers an SDK that keeps every span in memory, until it is disposed of. One at a time. */
export async function recordSpans(): Promise<SpanRecorder> {
  // Loaded here: most tests record none.
  const { AsyncLocalStorageContextManager } = await import('@opentelemetry/context-async-hooks')
  const { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } = await import('@opentelemetry/core')
  const { AlwaysOnSampler, ParentBasedSampler, TracerProvider } = await import('@opentelemetry/sdk-trace')
  const ended: ReadableSpan[] = []
  const open = new Set<ReadableSpan>()
  const processor: SpanProcessor = {
    onStart: (span) => void open.add(span),
    onEnd(span) {
      open.delete(span)
      ended.push(span)
    },
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  }
  const sampler = new ParentBasedSampler({ root: new AlwaysOnSampler() })
  const propagators = [new W3CTraceContextPropagator(), new W3CBaggagePropagator()]
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  propagation.setGlobalPropagator(new CompositePropagator({ propagators }))
  trace.setGlobalTracerProvider(new TracerProvider({ sampler, spanProcessors: [processor] }))
  await loadTracing()
  return {
    ended,
    open: () => [...open],
    clear: () => void ended.splice(0),
    async [Symbol.asyncDispose]() {
      trace.disable()
      propagation.disable()
      context.disable()
    },
  }
}
