import { decide, type ErrorMatcher } from './error-matcher.ts'
import type { Call } from './layer.ts'
import type { LayerDeps } from './layer-deps.ts'

export interface FallbackOptions<F> {
  /** Returns the value instead of the failure. */
  readonly handler: (error: unknown) => F | Promise<F>
  /** Which errors it replaces. Default all. */
  readonly applyOn?: ErrorMatcher
  /** Which errors pass, even if `applyOn` matches. Default none. */
  readonly skipOn?: ErrorMatcher
}

/** A caller that gave up gets its abort reason, never the fallback. Calls `onApply` just before the handler. */
export function fallbackLayer<F>(options: FallbackOptions<F>, { emit }: Pick<LayerDeps, 'emit'>) {
  const applies = decide(options.applyOn, options.skipOn)
  return async <T>(call: Call<T>, signal: AbortSignal, onApply: () => void): Promise<T | F> => {
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
