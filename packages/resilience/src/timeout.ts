import { TimeoutError } from './errors.ts'
import type { Call, Layer } from './layer.ts'
import type { LayerDeps } from './layer-deps.ts'
import { optionRules } from './option-rules.ts'

/** Applies to each attempt of a retry. */
export interface TimeoutOptions {
  /** How long an attempt may take, in milliseconds; 0 = no limit. Default 1000. */
  readonly timeoutMs?: number
}

/**
 * Ends an attempt when its time is over, whether it heeds its signal or not: what it returns or throws later is dropped. Undefined when
 * there is no limit. Not cockatiel's timeout, whose listeners cost more than all other policies together.
 */
export function timeoutLayer(options: TimeoutOptions, { name, now, emit }: LayerDeps): Layer | undefined {
  const timeoutMs = optionRules(name).duration('timeout.timeoutMs', options.timeoutMs ?? 1000)
  if (timeoutMs === 0) return undefined

  return async <T>(call: Call<T>, signal: AbortSignal): Promise<T> => {
    signal.throwIfAborted()
    const startedAt = now()
    const finished = (timedOut: boolean) => emit({ type: 'timeout', timedOut, durationMs: now() - startedAt })
    const attempt = new AbortController()
    let cut: (reason: unknown) => void = () => {}
    const timer = setTimeout(() => cut(new TimeoutError(name, timeoutMs)), timeoutMs)
    const giveUp = () => cut(signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      const value = await new Promise<T>((resolve, reject) => {
        cut = (reason) => {
          // First, so that it comes before whatever the call ends with when it is aborted.
          reject(reason)
          attempt.abort(reason)
        }
        Promise.resolve(call({ signal: attempt.signal })).then(resolve, reject)
      })
      finished(false)
      return value
    } catch (error) {
      // A caller that gives up is no result of the call.
      if (!signal.aborted) finished(attempt.signal.aborted)
      throw error
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
    }
  }
}
