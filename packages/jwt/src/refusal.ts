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

/** What a refused token claims. Not verified: it can be any text of any length. */
export interface ClaimedIdentity {
  readonly kid?: string
  readonly jti?: string
  readonly sub?: string
}

/** Reads the identity from the header's `kid` and the payload; leaves out what is not a string. */
export function claimedIdentity(
  kid: string | undefined,
  payload: Readonly<Record<string, unknown>> = {},
): ClaimedIdentity {
  const { jti, sub } = payload
  return {
    ...(kid !== undefined && { kid }),
    ...(typeof jti === 'string' && { jti }),
    ...(typeof sub === 'string' && { sub }),
  }
}
