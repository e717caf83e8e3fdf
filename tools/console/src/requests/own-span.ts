import type { SpanView } from '../api/traces.ts'
import type { TraceStore } from '../traces/trace-store.ts'
import type { OwnTrace } from './gateway-call.ts'

/** Keeps a span of a request that a person made, so that its trace begins with that. */
export function noteCall(
  traces: TraceStore,
  { traceId, spanId, name, method }: OwnTrace & { readonly name: string; readonly method: string },
) {
  const startedAt = Date.now()
  const started = performance.now()
  let status: number | undefined
  return {
    answered(code: number): void {
      status = code
    },
    /** `error` is why it did not end well. */
    end(error?: string): void {
      const failed = error ?? (status !== undefined && status >= 400 ? `${status}` : undefined)
      const span: SpanView = {
        ...{ traceId, spanId, name, startedAt },
        kind: 'client',
        service: 'console',
        durationMs: performance.now() - started,
        status: failed === undefined ? 'unset' : 'error',
        ...(error !== undefined && { statusMessage: error }),
        attributes: {
          'http.request.method': method,
          ...(status !== undefined && { 'http.response.status_code': status }),
        },
        resource: { 'service.name': 'console' },
        scope: '@taproom/console',
        events: [],
        links: [],
      }
      traces.add([span])
    },
  }
}
