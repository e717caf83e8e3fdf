import type { ErrorMatcher } from './error-matcher.ts'

export interface FallbackOptions<F> {
  /** Returns the value instead of the failure. */
  readonly handler: (error: unknown) => F | Promise<F>
  /** Which errors it replaces. Default all. */
  readonly applyOn?: ErrorMatcher
  /** Which errors pass, even if `applyOn` matches. Default none. */
  readonly skipOn?: ErrorMatcher
}
