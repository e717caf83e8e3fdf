import type { ClaimedIdentity, RefusalReason } from './refusal.ts'

/** Base class of everything this package throws. */
export class JwtError extends Error {
  override readonly name: string = 'JwtError'
  readonly code: string = 'JWT_ERROR'
}

/** An option can not work: thrown when the verifier, middleware or dev issuer is created. `property` is MicroProfile's name for it. */
export class JwtConfigError extends JwtError {
  override readonly name = 'JwtConfigError'
  override readonly code = 'JWT_CONFIG_INVALID'
  readonly property: string

  constructor(property: string, problem: string, options?: ErrorOptions) {
    super(`${property} (${property.replaceAll('.', '_').toUpperCase()}): ${problem}`, options)
    this.property = property
  }
}

/** A token was refused. `reason` is safe to show and to count; the token itself is never part of the error. */
export class InvalidTokenError extends JwtError {
  override readonly name = 'InvalidTokenError'
  override readonly code = 'JWT_TOKEN_INVALID'
  readonly reason: RefusalReason
  /** What the refused token calls itself, as far as it could be read. */
  readonly claimed: ClaimedIdentity

  constructor(reason: RefusalReason, options: ErrorOptions & { readonly claimed?: ClaimedIdentity } = {}) {
    super(`token refused: ${reason}`, options)
    this.reason = reason
    this.claimed = options.claimed ?? {}
  }
}

/** Nothing can be said about a token now: too many wait for their signatures to be checked. Not the token's fault; try again in a second. */
export class VerifierBusyError extends JwtError {
  override readonly name = 'VerifierBusyError'
  override readonly code = 'JWT_VERIFIER_BUSY'

  constructor() {
    super('too many tokens wait for their signatures to be checked')
  }
}

/** A key text is not usable, for the reason its message gives. Start-up turns it into a {@link JwtConfigError}. */
export class KeyFormatError extends JwtError {
  override readonly name = 'KeyFormatError'
  override readonly code = 'JWT_KEY_UNUSABLE'
}

/** Reading a remote key set failed; the verifier retries by itself. Seen only in its log and its health check. */
export class KeyFetchError extends JwtError {
  override readonly name = 'KeyFetchError'
  override readonly code = 'JWT_KEY_FETCH_FAILED'
}
