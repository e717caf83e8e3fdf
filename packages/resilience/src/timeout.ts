import { TimeoutStrategy, timeout } from 'cockatiel'
import { TimeoutError } from './errors.ts'
import type { Layer } from './layer.ts'
import type { LayerDeps } from './layer-deps.ts'
import { optionRules } from './option-rules.ts'

/** Applies to each attempt of a retry. */
export interface TimeoutOptions {
  /** How long an attempt may take, in milliseconds; 0 = no limit. Default 1000. */
  readonly timeoutMs?: number
}

/** Undefined when there is no limit. */
export function timeoutLayer(options: TimeoutOptions, { name, now, emit }: LayerDeps): Layer | undefined {
  const timeoutMs = optionRules(name).duration('timeout.timeoutMs', options.timeoutMs ?? 1000)
  if (timeoutMs === 0) return undefined
  const policy = timeout(timeoutMs, { strategy: TimeoutStrategy.Aggressive, abortOnReturn: false })

  return async (call, signal) => {
    const startedAt = now()
    let attempt: AbortSignal | undefined
    const finished = (timedOut: boolean) => emit({ type: 'timeout', timedOut, durationMs: now() - startedAt })
    // An aborted call may end with an error of its own before cockatiel's arrives, so the signal decides, not the error.
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
