import { type Attributes, errorTypeOf, tracing } from '@taproom/core/spans'
import type { GuardEvent } from './guard-event.ts'

const SCOPE = '@taproom/resilience'

/** Runs a call of a guard in a span under the guard's name; the policies' events are the span's. */
export function inCallSpan<T>(name: string, call: () => Promise<T>): Promise<T> {
  const traces = tracing()
  return traces === undefined ? call() : traces.during(SCOPE, name, {}, call)
}

/** Adds what a policy did to the span of the call that it did it for, if that is worth an event. */
export function noteInSpan(event: GuardEvent): void {
  const span = tracing()?.active()
  if (!span?.isRecording()) return
  const attributes = attributesOf(event)
  if (attributes !== undefined) span.addEvent(event.type, attributes)
}

/** Undefined for events that say that all went as usual. */
function attributesOf(event: GuardEvent): Attributes | undefined {
  switch (event.type) {
    case 'retry':
      return { attempt: event.attempt, delay_ms: event.delayMs, 'error.type': errorTypeOf(event.error) }
    case 'timeout':
      return event.timedOut ? { duration_ms: event.durationMs } : undefined
    case 'circuit-breaker-state':
      return { from: event.from, to: event.to }
    case 'circuit-breaker-call':
      return event.result === 'circuit-breaker-open' ? { result: event.result } : undefined
    case 'bulkhead-call':
    case 'rate-limit-call':
      return event.result === 'rejected' ? { result: event.result } : undefined
    case 'fallback':
      return { 'error.type': errorTypeOf(event.error) }
    default:
      return undefined
  }
}
