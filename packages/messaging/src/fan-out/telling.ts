import { tracing } from '@taproom/core/spans'
import { duringProcess } from '../spans/message-spans.ts'
import type { FanOutSubscriptionOptions } from './fan-out.ts'
import type { SharedMessage } from './shared-message.ts'

/** Whether a message is to be handled; also one that cannot be read. Never throws. */
export function isWanted<T>({ wants }: FanOutSubscriptionOptions<T>, { content }: SharedMessage<T>): boolean {
  // An unreadable one is told of in its turn, and its place is kept until then.
  if ('error' in content || wants === undefined) return true
  try {
    return wants(content.value)
  } catch {
    // The handler meets the same defect, and what it throws is told.
    return true
  }
}

/** Gives a message to the subscription, in the message's trace. What its handler throws or rejects with is passed on. */
export function tell<T>(
  options: FanOutSubscriptionOptions<T>,
  shared: SharedMessage<T>,
  signal: AbortSignal,
): Promise<void> | void {
  const { content, message } = shared
  if ('error' in content) return options.onUnreadable(message, content.error, content.records)
  return inSpan(options, shared, () => options.onMessage(content.value, message, signal))
}

/** Lets the message's trace tell that it was not wanted, if that is sampled. Never rejects. */
export async function tellUnwanted<T>(options: FanOutSubscriptionOptions<T>, shared: SharedMessage<T>): Promise<void> {
  const { content } = shared
  if ('error' in content) return
  try {
    await inSpan(options, shared, () => options.onUnwanted?.(content.value))
  } catch {
    // A trace that lacks a span is no reason to stop.
  }
}

function inSpan<T>(
  { groupId }: FanOutSubscriptionOptions<T>,
  shared: SharedMessage<T>,
  work: () => Promise<void> | void,
): Promise<void> | void {
  const traces = tracing()
  if (traces === undefined) return work()
  return duringProcess(traces, shared.message, { groupId, parent: shared.trace(traces).context }, work)
}
