/** A class of errors, abstract or not, whatever its constructor takes. */
export type ErrorClass = abstract new (...args: never[]) => unknown

/** Which errors a rule speaks of: those of the listed classes, or those the predicate accepts. */
export type ErrorMatcher = readonly ErrorClass[] | ((error: unknown) => boolean)

/** An `ErrorMatcher` ready to be asked. */
export type ErrorPredicate = (error: unknown) => boolean

function toPredicate(matcher: ErrorMatcher): ErrorPredicate {
  if (typeof matcher === 'function') return matcher
  return (error) => matcher.some((type) => error instanceof type)
}

/** MicroProfile's rule for pairs such as abortOn/retryOn: the exception list wins, then the list, and all errors by default. */
export function decide(include: ErrorMatcher | undefined, exclude: ErrorMatcher | undefined): ErrorPredicate {
  const included = include === undefined ? () => true : toPredicate(include)
  const excluded = exclude === undefined ? () => false : toPredicate(exclude)
  return (error) => !excluded(error) && included(error)
}
