import { decide, type ErrorMatcher } from './error-matcher.ts'
import type { GuardEvent } from './guard-event.ts'
import type { Call } from './layer.ts'

/** Options of the fallback policy. */
export interface FallbackOptions<F> {
  /** Makes the value that takes the place of the failure. */
  readonly handler: (error: unknown) => F | Promise<F>
  /** Which errors it stands in for. Default all. */
  readonly applyOn?: ErrorMatcher
  /** Which errors pass whatever `applyOn` says. Default none. */
  readonly skipOn?: ErrorMatcher
}

/** `onApply` is called when the handler is, before it. */
export type FallbackLayer<F> = <T>(call: Call<T>, signal: AbortSignal, onApply: () => void) => Promise<T | F>

/** A caller that gave up gets its abort reason, never the fallback. */
export function fallbackLayer<F>(
  options: FallbackOptions<F>,
  { emit }: { readonly emit: (event: GuardEvent) => void },
): FallbackLayer<F> {
  const applies = decide(options.applyOn, options.skipOn)
  return async (call, signal, onApply) => {
    try {
      return await call({ signal })
    } catch (error) {
      if (signal.aborted || !applies(error)) throw error
      onApply()
      emit({ type: 'fallback', error })
      return await options.handler(error)
    }
  }
}
