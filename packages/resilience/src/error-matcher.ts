export type ErrorClass = abstract new (...args: never[]) => unknown

export type ErrorPredicate = (error: unknown) => boolean

/** Errors of the listed classes, or those that the predicate accepts. */
export type ErrorMatcher = readonly ErrorClass[] | ErrorPredicate

/** MicroProfile's rule for pairs such as retryOn/abortOn: `exclude` wins, then `include`; without them all errors match. */
export function decide(include: ErrorMatcher = () => true, exclude: ErrorMatcher = []): ErrorPredicate {
  return (error) => !matches(exclude, error) && matches(include, error)
}

function matches(matcher: ErrorMatcher, error: unknown): boolean {
  return typeof matcher === 'function' ? matcher(error) : matcher.some((type) => error instanceof type)
}
