/** Why a token is refused, with the `error_description` that the caller is given: enough to mend it, nothing about keys or rules. */
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
} as const

/** One word for each reason, also the label to count by. */
export type RefusalReason = keyof typeof REFUSALS
