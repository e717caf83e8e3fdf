import { TimeoutStrategy, timeout } from 'cockatiel'
import { TimeoutError } from './errors.ts'
import { GuardPolicy, type PolicyDeps } from './guard-policy.ts'
import { optionRules } from './option-rules.ts'

/** Applies to each attempt of a retry. */
export interface TimeoutOptions {
  /** How long an attempt may take, in milliseconds; 0 = no limit. Default 1000. */
  readonly timeoutMs?: number
}

/**
 * Ends an attempt when its time is over, whether it heeds its signal or not: what it returns or throws later is dropped. Undefined when
 * there is no limit.
 */
export function createTimeout(options: TimeoutOptions, { name, now, emit }: PolicyDeps): GuardPolicy | undefined {
  const timeoutMs = optionRules(name).duration('timeout.timeoutMs', options.timeoutMs ?? 1000)
  if (timeoutMs === 0) return undefined
  // Without `abortOnReturn` the attempt's signal is aborted only by the timer or the caller.
  const policy = timeout(timeoutMs, { strategy: TimeoutStrategy.Aggressive, abortOnReturn: false })

  return new GuardPolicy(async (call, signal) => {
    const startedAt = now()
    let attempt = signal
    const result = policy.execute((context) => {
      attempt = context.signal
      return call(context)
    }, signal)
    await result.catch(() => undefined)
    // The signals decide: a call that ends when it is aborted can be faster than cockatiel's own error.
    signal.throwIfAborted()
    emit({ type: 'timeout', timedOut: attempt.aborted, durationMs: now() - startedAt })
    if (attempt.aborted) throw new TimeoutError(name, timeoutMs)
    return result
  })
}
