import { TimeoutError } from './errors.ts'
import type { Layer } from './layer.ts'
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

  return (within) => (call, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const startedAt = now()
      const attempt = new AbortController()
      let isOver = false
      /** A caller that gives up is no result of the call. */
      const end = (result: 'in-time' | 'timed-out' | 'given-up') => {
        isOver = true
        clearTimeout(timer)
        signal.removeEventListener('abort', giveUp)
        if (result === 'given-up') return
        emit({ type: 'timeout', timedOut: result === 'timed-out', durationMs: now() - startedAt })
      }
      const timer = setTimeout(() => {
        const late = new TimeoutError(name, timeoutMs)
        end('timed-out')
        // First, so that it comes before whatever the call ends with when it is aborted.
        reject(late)
        attempt.abort(late)
      }, timeoutMs)
      const giveUp = () => {
        end('given-up')
        reject(signal.reason)
        attempt.abort(signal.reason)
      }
      signal.addEventListener('abort', giveUp)
      within(call, attempt.signal).then(
        (value) => {
          if (isOver) return
          end('in-time')
          resolve(value)
        },
        (error: unknown) => {
          if (isOver) return
          end('in-time')
          reject(error)
        },
      )
    })
}
