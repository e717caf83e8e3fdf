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

/** Why a token is refused, with the `error_description` for the caller, which says nothing about keys or rules. */
export const REFUSALS = {
  malformed: 'The token is not a signed JWT in compact form',
  algorithm: 'The signing algorithm is not accepted',
  type: 'The token type is not accepted',
  key: 'The signing key is not known',
  signature: 'The signature does not match',
  expired: 'The token has expired',
  not_yet_valid: 'The token is not valid yet',
  too_old: 'The token was issued too long ago',
  issuer: 'The issuer is not accepted',
  audience: 'The audience is not accepted',
  claim: 'A required claim is missing or invalid',
  principal: 'The token names no principal',
  encryption: 'The token is not encrypted as it must be',
  inactive: 'The token is not active',
  revoked: 'The token has been revoked',
} as const

/** Also the label of the counters. */
export type RefusalReason = keyof typeof REFUSALS

/** Claims of a refused token. They are not verified: each can be any text of any length. */
export interface ClaimedIdentity {
  readonly kid?: string
  readonly jti?: string
  readonly sub?: string
}

/** Reads the identity from the payload and the header's `kid`; leaves out what is not a string. */
export function claimedIdentity(payload: Readonly<Record<string, unknown>> = {}, kid?: string): ClaimedIdentity {
  const { jti, sub } = payload
  return {
    ...(kid !== undefined && { kid }),
    ...(typeof jti === 'string' && { jti }),
    ...(typeof sub === 'string' && { sub }),
  }
}

/** A refusal with the identity that its token claims; other errors as they are. */
export function withClaimed(error: unknown, payload: Readonly<Record<string, unknown>>): unknown {
  if (!(error instanceof InvalidTokenError)) return error
  return new InvalidTokenError(error.reason, { claimed: claimedIdentity(payload), cause: error })
}
