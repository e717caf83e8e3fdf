import { TimeoutStrategy, timeout } from 'cockatiel'
import { TimeoutError } from './errors.ts'
import type { GuardEvent } from './guard-event.ts'
import type { Clock, Layer } from './layer.ts'
import { optionRules } from './option-rules.ts'

/** Options of the timeout policy; it starts anew for every attempt of a retry. */
export interface TimeoutOptions {
  /** Milliseconds an attempt may take; 0 = no limit. Default 1000. */
  readonly timeoutMs?: number
}

interface TimeoutDependencies {
  readonly name: string
  readonly now: Clock
  readonly emit: (event: GuardEvent) => void
}

/** Nothing to wrap when the limit is 0. */
export function timeoutLayer(options: TimeoutOptions, { name, now, emit }: TimeoutDependencies): Layer | undefined {
  const timeoutMs = optionRules(name).duration('timeout.timeoutMs', options.timeoutMs ?? 1000)
  if (timeoutMs === 0) return undefined
  const policy = timeout(timeoutMs, { strategy: TimeoutStrategy.Aggressive, abortOnReturn: false })

  return async (call, signal) => {
    const startedAt = now()
    let attempt: AbortSignal | undefined
    const finished = (timedOut: boolean) => emit({ type: 'timeout', timedOut, durationMs: now() - startedAt })
    // An aborted call may end in its own way before cockatiel's error arrives: the signal, not the error, tells what happened.
    const throwIfCut = () => {
      if (!attempt?.aborted) return
      if (signal.aborted) throw signal.reason
      finished(true)
      throw new TimeoutError(name, timeoutMs)
    }
    try {
      const value = await policy.execute((context) => {
        attempt = context.signal
        return call(context)
      }, signal)
      throwIfCut()
      finished(false)
      return value
    } catch (error) {
      if (error instanceof TimeoutError) throw error
      throwIfCut()
      finished(false)
      throw error
    }
  }
}
