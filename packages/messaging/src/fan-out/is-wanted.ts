import type { FanOutSubscriptionOptions } from './fan-out.ts'
import type { SharedMessage } from './shared-message.ts'

/** Whether a message is to be handled; also one that a trace is to tell of, or that cannot be read. Never throws. */
export function isWanted<T>({ wants }: FanOutSubscriptionOptions<T>, shared: SharedMessage<T>): boolean {
  const { content } = shared
  // An unreadable one is told of in its turn, and its place is kept until then.
  if ('error' in content || wants === undefined || shared.isRecorded) return true
  try {
    return wants(content.value)
  } catch {
    // The handler meets the same defect, and what it throws is told.
    return true
  }
}
