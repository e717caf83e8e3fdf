import type { SpanView } from '../api/traces.ts'
import type { TraceStore } from '../traces/trace-store.ts'

const LATELY_MS = 60_000
const MAX_TRACES = 500
const MAX_TEXT = 300

/** The newest call over HTTP of a service that failed within a minute: `GET http://… answered 503`; undefined when there is none. */
export function lastFailedCall(
  store: Pick<TraceStore, 'newestFirst'>,
  service: string,
  now: number,
): string | undefined {
  let newest: SpanView | undefined
  for (const { spans } of store.newestFirst().slice(0, MAX_TRACES)) {
    for (const span of spans.values()) {
      const isFailed = span.kind === 'client' && span.status === 'error' && span.service === service
      if (isFailed && now - span.startedAt < LATELY_MS && span.startedAt > (newest?.startedAt ?? 0)) newest = span
    }
  }
  return newest && callText(newest)
}

function callText({ name, attributes, statusMessage }: SpanView): string {
  const { 'http.request.method': method, 'url.full': url, 'http.response.status_code': status } = attributes
  const call = typeof url === 'string' ? `${String(method ?? 'GET')} ${url}` : name
  const failure =
    typeof status === 'number' ? `answered ${status}` : `failed: ${statusMessage ?? attributes['error.type']}`
  return `${call} ${failure}`.slice(0, MAX_TEXT)
}
