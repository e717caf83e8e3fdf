import type { ClaimedIdentity, RefusalReason } from './refusal.ts'

/** Base class of everything this package throws. */
export abstract class JwtError extends Error {
  override readonly name: string = this.constructor.name
  abstract readonly code: string
}

/** An option is invalid: thrown when the verifier, middleware or dev issuer is created. `property` is MicroProfile's name of it. */
export class JwtConfigError extends JwtError {
  readonly code = 'JWT_CONFIG_INVALID'
  readonly property: string

  constructor(property: string, problem: string, options?: ErrorOptions) {
    super(`${property} (${property.replaceAll('.', '_').toUpperCase()}): ${problem}`, options)
    this.property = property
  }
}

/** A token was refused. `reason` is safe to show and to count; the error never contains the token. */
export class InvalidTokenError extends JwtError {
  readonly code = 'JWT_TOKEN_INVALID'
  readonly reason: RefusalReason
  /** What the token claims, as far as it could be read; not verified. */
  readonly claimed: ClaimedIdentity

  constructor(reason: RefusalReason, options: ErrorOptions & { readonly claimed?: ClaimedIdentity } = {}) {
    super(`token refused: ${reason}`, options)
    this.reason = reason
    this.claimed = options.claimed ?? {}
  }
}

/** A token cannot be checked now, because too many are waiting for that. Try again in a second. */
export class VerifierBusyError extends JwtError {
  readonly code = 'JWT_VERIFIER_BUSY'

  constructor() {
    super('too many tokens wait for their signatures to be checked')
  }
}

/**
 * A token is neither accepted nor refused, because what had to be asked about it gave no answer: revocation or introspection. The message
 * says which; the cause is for the log.
 */
export class TokenCheckError extends JwtError {
  override readonly name = 'TokenCheckError'
  readonly code = 'JWT_CHECK_FAILED'
}

/** A key is not usable; the message says why. At start-up it becomes a {@link JwtConfigError}. */
export class KeyFormatError extends JwtError {
  readonly code = 'JWT_KEY_UNUSABLE'
}

/** Reading a remote key set failed; the verifier retries by itself. Seen only in its log and its health check. */
export class KeyFetchError extends JwtError {
  readonly code = 'JWT_KEY_FETCH_FAILED'
}
