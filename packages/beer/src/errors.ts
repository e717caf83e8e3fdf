/** Base of every error of this package; branch on the class or on `code`, never on the message. */
export abstract class BeerError extends Error {
  override readonly name: string = this.constructor.name
  abstract readonly code: string
}

/** A message, or an element of the beer service's list, is not a beer (or not a priced beer). Never carries the payload. */
export class BeerFormatError extends BeerError {
  readonly code = 'BEER_FORMAT'
}

/** A call of the beer service failed. */
export abstract class BeerServiceError extends BeerError {}

/** The beer service did not answer completely within the client's `timeoutMs`. */
export class BeerServiceTimeoutError extends BeerServiceError {
  readonly code = 'BEER_SERVICE_TIMEOUT'
  readonly timeoutMs: number

  constructor(target: string, timeoutMs: number, options?: ErrorOptions) {
    super(`no complete answer within ${timeoutMs} ms: ${target}`, options)
    this.timeoutMs = timeoutMs
  }
}

/** The beer service could not be reached, or the connection broke before the answer was complete. */
export class BeerServiceUnreachableError extends BeerServiceError {
  readonly code = 'BEER_SERVICE_UNREACHABLE'

  constructor(target: string, options?: ErrorOptions) {
    super(`connection failed: ${target}`, options)
  }
}

/** The beer service answered, but not with a list of beers: wrong status, not JSON, wrong shape or too long. */
export class BeerServiceAnswerError extends BeerServiceError {
  readonly code = 'BEER_SERVICE_BAD_ANSWER'

  constructor(target: string, rule: string, options?: ErrorOptions) {
    super(`${rule}: ${target}`, options)
  }
}

/** The beer service answered 429 or 503: ask again later. */
export class BeerServiceOverloadedError extends BeerServiceError {
  readonly code = 'BEER_SERVICE_OVERLOADED'
  readonly status: 429 | 503
  /** The answer's `Retry-After`; absent when it had none in seconds. */
  readonly retryAfterSeconds?: number

  constructor(target: string, status: 429 | 503, retryAfterSeconds?: number) {
    super(`answered ${status}: ${target}`)
    this.status = status
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds
  }
}
