import { ConstantBackoff, handleWhen, retry } from 'cockatiel'
import { abortableDelay } from './abortable-delay.ts'
import { decide, type ErrorMatcher } from './error-matcher.ts'
import type { GuardEvent } from './guard-event.ts'
import type { Clock, Layer } from './layer.ts'
import { optionRules } from './option-rules.ts'

/** Options of the retry policy; names, defaults and rules are MicroProfile Fault Tolerance 4.1's. */
export interface RetryOptions {
  /** Further attempts after the first; -1 = no limit. Default 3. */
  readonly maxRetries?: number
  /** Wait before each further attempt, in milliseconds. Default 0. */
  readonly delayMs?: number
  /** The wait is drawn evenly from delay ± jitter, never below 0. Default 200. */
  readonly jitterMs?: number
  /** No further attempt begins after this time, in milliseconds; must exceed `delayMs`; 0 = no limit. Default 180 000. */
  readonly maxDurationMs?: number
  /** Which errors are tried again. Default all. */
  readonly retryOn?: ErrorMatcher
  /** Which errors end it at once whatever `retryOn` says. Default none. */
  readonly abortOn?: ErrorMatcher
}

interface RetryDependencies {
  readonly name: string
  readonly now: Clock
  readonly random: () => number
  readonly emit: (event: GuardEvent) => void
}

/** Carries a failure past cockatiel's retry, which knows no abortOn and no maxDuration. */
class GiveUp {
  readonly failure: unknown
  readonly result: 'exception-not-retryable' | 'max-duration-reached' | 'aborted'

  constructor(failure: unknown, result: GiveUp['result']) {
    this.failure = failure
    this.result = result
  }
}

export function retryLayer(options: RetryOptions, { name, now, random, emit }: RetryDependencies): Layer {
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
  // cockatiel's own wait cannot be cut short, so it waits 0 and the wait happens at the start of the next attempt.
  const policy = retry(
    handleWhen((error) => !(error instanceof GiveUp)),
    { maxAttempts: maxRetries === -1 ? Number.POSITIVE_INFINITY : maxRetries, backoff: new ConstantBackoff(0) },
  )
  const nextDelayMs = () => Math.max(0, delayMs + (random() * 2 - 1) * jitterMs)

  return async (call, signal) => {
    const startedAt = now()
    const isOver = () => maxDurationMs > 0 && now() - startedAt >= maxDurationMs
    let lastFailure: unknown
    let retried = false

    const attempt = async (number: number) => {
      if (number > 0) {
        const waitMs = nextDelayMs()
        retried = true
        emit({ type: 'retry', attempt: number, delayMs: waitMs, error: lastFailure })
        await abortableDelay(waitMs, signal).catch((reason: unknown) => {
          throw new GiveUp(reason, 'aborted')
        })
        if (isOver()) throw new GiveUp(lastFailure, 'max-duration-reached')
      }
      try {
        return await call({ signal })
      } catch (error) {
        lastFailure = error
        if (signal.aborted) throw new GiveUp(error, 'aborted')
        if (!isRetryable(error)) throw new GiveUp(error, 'exception-not-retryable')
        if (isOver()) throw new GiveUp(error, 'max-duration-reached')
        throw error
      }
    }

    try {
      const value = await policy.execute((context) => attempt(context.attempt), signal)
      emit({ type: 'retry-finished', retried, result: 'value-returned' })
      return value
    } catch (error) {
      const result = error instanceof GiveUp ? error.result : 'max-retries-reached'
      emit({ type: 'retry-finished', retried, result, error: lastFailure })
      throw error instanceof GiveUp ? error.failure : error
    }
  }
}
