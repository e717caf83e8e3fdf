import { sleep } from '@taproom/core/time'
import { decide, type ErrorMatcher } from './error-matcher.ts'
import type { GuardEvent } from './guard-event.ts'
import { GuardPolicy, type PolicyDeps } from './guard-policy.ts'
import { optionRules } from './option-rules.ts'

/** Names, defaults and rules are MicroProfile Fault Tolerance 4.1's. */
export interface RetryOptions {
  /** Further attempts after the first; -1 = no limit. Default 3. */
  readonly maxRetries?: number
  /** Wait before each further attempt, in milliseconds. Default 0. */
  readonly delayMs?: number
  /** The wait is random within delay ± jitter, never below 0. Default 200. */
  readonly jitterMs?: number
  /** No further attempt begins after this time, in milliseconds; must exceed `delayMs`; 0 = no limit. Default 180 000. */
  readonly maxDurationMs?: number
  /** Which errors are tried again. Default all. */
  readonly retryOn?: ErrorMatcher
  /** Which errors end it at once, even if `retryOn` matches. Default none. */
  readonly abortOn?: ErrorMatcher
}

type GiveUpReason = Exclude<(GuardEvent & { readonly type: 'retry-finished' })['result'], 'value-returned'>

export function createRetry(options: RetryOptions, { name, now, random, emit }: PolicyDeps): GuardPolicy {
  const rules = optionRules(name)
  const maxRetries = rules.integer('retry.maxRetries', options.maxRetries ?? 3, -1)
  const delayMs = rules.duration('retry.delayMs', options.delayMs ?? 0)
  const jitterMs = rules.duration('retry.jitterMs', options.jitterMs ?? 200)
  const maxDurationMs = rules.duration('retry.maxDurationMs', options.maxDurationMs ?? 180_000)
  rules.rule(
    'retry.maxDurationMs',
    maxDurationMs,
    maxDurationMs === 0 || maxDurationMs > delayMs,
    `0 or more than delayMs (${delayMs})`,
  )
  const isRetryable = decide(options.retryOn, options.abortOn)
  const nextDelayMs = () => Math.max(0, delayMs + (random() * 2 - 1) * jitterMs)

  return new GuardPolicy(async (call, signal) => {
    const startedAt = now()
    const isOver = () => maxDurationMs > 0 && now() - startedAt >= maxDurationMs
    for (let retries = 0; ; retries += 1) {
      try {
        const value = await call({ signal })
        emit({ type: 'retry-finished', retried: retries > 0, result: 'value-returned' })
        return value
      } catch (error) {
        let retried = retries > 0
        const giveUp = (result: GiveUpReason, thrown = error): never => {
          emit({ type: 'retry-finished', retried, result, error })
          throw thrown
        }
        if (signal.aborted) giveUp('aborted')
        if (!isRetryable(error)) giveUp('exception-not-retryable')
        if (isOver()) giveUp('max-duration-reached')
        if (retries === maxRetries) giveUp('max-retries-reached')
        retried = true
        const waitMs = nextDelayMs()
        emit({ type: 'retry', attempt: retries + 1, delayMs: waitMs, error })
        await sleep(waitMs, signal).catch((reason: unknown) => giveUp('aborted', reason))
        if (isOver()) giveUp('max-duration-reached')
      }
    }
  })
}
