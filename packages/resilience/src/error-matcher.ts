export type ErrorClass = abstract new (...args: never[]) => unknown

/** Errors of the listed classes, or those that the predicate accepts. */
export type ErrorMatcher = readonly ErrorClass[] | ((error: unknown) => boolean)

export type ErrorPredicate = (error: unknown) => boolean

function toPredicate(matcher: ErrorMatcher): ErrorPredicate {
  if (typeof matcher === 'function') return matcher
  return (error) => matcher.some((type) => error instanceof type)
}

/** MicroProfile's rule for pairs such as retryOn/abortOn: `exclude` wins, then `include`; without them all errors match. */
export function decide(include: ErrorMatcher | undefined, exclude: ErrorMatcher | undefined): ErrorPredicate {
  const included = include === undefined ? () => true : toPredicate(include)
  const excluded = exclude === undefined ? () => false : toPredicate(exclude)
  return (error) => !excluded(error) && included(error)
}
