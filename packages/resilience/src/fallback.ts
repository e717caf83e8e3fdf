import { decide, type ErrorMatcher, type ErrorPredicate } from './error-matcher.ts'

export interface FallbackOptions<F> {
  /** Returns the value instead of the failure. */
  readonly handler: (error: unknown) => F | Promise<F>
  /** Which errors it replaces. Default all. */
  readonly applyOn?: ErrorMatcher
  /** Which errors pass, even if `applyOn` matches. Default none. */
  readonly skipOn?: ErrorMatcher
}

export interface Fallback<F> {
  readonly replaces: ErrorPredicate
  readonly handler: (error: unknown) => F | Promise<F>
}

export function createFallback<F>(options: FallbackOptions<F>): Fallback<F> {
  return { replaces: decide(options.applyOn, options.skipOn), handler: (error) => options.handler(error) }
}
