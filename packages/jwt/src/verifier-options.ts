import type { Log } from '@taproom/lines'
import { JwtConfigError } from './errors.ts'
import { INLINE, LOCATION } from './key-source.ts'
import type { JwtAlgorithm } from './verification-key.ts'

/** The first seven are MicroProfile JWT 2.1 properties. */
export interface JwtVerifierOptions {
  /** `mp.jwt.verify.publickey`: PEM, JWK, JWKS, or Base64URL of the last two. Exactly one of this and the next is required. */
  readonly publicKey?: string
  /** `mp.jwt.verify.publickey.location`: a path, or a `file:`, `http:` or `https:` URL. */
  readonly publicKeyLocation?: string
  /** `mp.jwt.verify.publickey.algorithm`: the only algorithm accepted. Default: RS256. */
  readonly algorithm?: JwtAlgorithm
  /** `mp.jwt.verify.issuer`: `iss` must be one of these. At least one. */
  readonly issuers: readonly string[]
  /** `mp.jwt.verify.audiences`: `aud` must share one of these. Default: `aud` is not checked. */
  readonly audiences?: readonly string[]
  /** `mp.jwt.verify.clock.skew`: allowance for exp, nbf and age, in seconds. Default: 0. */
  readonly clockSkewSeconds?: number
  /** `mp.jwt.verify.token.age`: seconds since `iat` after which a token is refused. Default: no limit. */
  readonly maxTokenAgeSeconds?: number
  /** Most verified tokens kept, from their second use on, so that they are not verified again; and most forged ones. Default: 1000. 0 turns it off. */
  readonly cacheSize?: number
  /** The current time, in epoch milliseconds. Default: `Date.now`. */
  readonly clock?: () => number
  /** For remote keys. Default: the global `fetch`. */
  readonly fetch?: typeof fetch
  /** Logs when remote keys were read and when that failed. */
  readonly log?: Pick<Log, 'info' | 'warn'>
}

/** @throws {JwtConfigError} when a property is invalid, naming the first one */
export function checkOptions(options: JwtVerifierOptions): void {
  const { publicKey, publicKeyLocation, algorithm = 'RS256', issuers, audiences } = options
  if (publicKey !== undefined && publicKeyLocation !== undefined) {
    throw new JwtConfigError(INLINE, `set either this or ${LOCATION}, not both`)
  }
  if (publicKey === undefined && publicKeyLocation === undefined) {
    throw new JwtConfigError(LOCATION, 'is not set: expected the path or URL of a public key')
  }
  if (algorithm !== 'RS256' && algorithm !== 'ES256') {
    throw new JwtConfigError('mp.jwt.verify.publickey.algorithm', `must be RS256 or ES256, got ${String(algorithm)}`)
  }
  if (issuers.length === 0 || issuers.includes('')) {
    throw new JwtConfigError('mp.jwt.verify.issuer', 'is not set: expected the issuer whose tokens are accepted')
  }
  if (audiences?.includes('')) throw new JwtConfigError('mp.jwt.verify.audiences', 'must not contain an empty audience')
  assertWhole('mp.jwt.verify.clock.skew', options.clockSkewSeconds ?? 0, 0)
  assertWhole('mp.jwt.verify.token.age', options.maxTokenAgeSeconds ?? 1, 1)
  assertWhole('cacheSize', options.cacheSize ?? 0, 0)
}

function assertWhole(property: string, value: number, min: number): void {
  if (!Number.isSafeInteger(value) || value < min) {
    throw new JwtConfigError(property, `must be a whole number of at least ${min}, got ${value}`)
  }
}
