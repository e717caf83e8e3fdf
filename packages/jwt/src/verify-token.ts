import { decodeProtectedHeader, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose'
import type { CheckedPayload } from './claims.ts'
import { InvalidTokenError } from './errors.ts'
import type { RefusalReason } from './refusal.ts'
import type { JwtAlgorithm, VerificationKey } from './verification-key.ts'

/** jose tolerates spaces and padding; the compact form has neither. */
const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/

/** What of a token's header decides how it is verified. Headers that carry or point to keys are never looked at. */
export interface TokenHeader {
  readonly kid: string | undefined
}

/** The payload whose signature, issuer, audience, exp and nbf were found right. */
export type VerifiedPayload = JWTPayload & CheckedPayload

/** @throws InvalidTokenError unless the token is in strict compact form, of the algorithm and of an accepted type */
export function readHeader(token: string, algorithm: JwtAlgorithm): TokenHeader {
  if (!COMPACT.test(token)) throw new InvalidTokenError('malformed')
  const { alg, typ, kid } = decodeHeader(token)
  if (alg !== algorithm) throw new InvalidTokenError('algorithm')
  if (typ !== undefined && !(typeof typ === 'string' && /^(at\+)?jwt$/i.test(typ))) throw new InvalidTokenError('type')
  if (kid !== undefined && typeof kid !== 'string') throw new InvalidTokenError('malformed')
  return { kid }
}

/** Verifies with the first key that fits. @throws InvalidTokenError telling what is wrong */
export async function verifyWithOneOf(
  keys: readonly VerificationKey[],
  token: string,
  options: JWTVerifyOptions,
): Promise<{ payload: VerifiedPayload; key: VerificationKey }> {
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify(token, key.key, options)
      return { payload: payload as VerifiedPayload, key }
    } catch (error) {
      const reason = refusalOf(error)
      if (reason !== 'signature') throw new InvalidTokenError(reason, { cause: error })
    }
  }
  throw new InvalidTokenError(keys.length === 0 ? 'key' : 'signature')
}

function decodeHeader(token: string): Readonly<Record<string, unknown>> {
  try {
    return decodeProtectedHeader(token)
  } catch (error) {
    throw new InvalidTokenError('malformed', { cause: error })
  }
}

/** Whatever jose throws is a refusal: a token must never become a server error. */
function refusalOf(error: unknown): RefusalReason {
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature'
  if (error instanceof errors.JWTExpired) return 'expired'
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'iss') return 'issuer'
    if (error.claim === 'aud') return 'audience'
    return error.claim === 'nbf' && error.reason === 'check_failed' ? 'not_yet_valid' : 'claim'
  }
  return 'malformed'
}
