import { JwtConfigError } from '../errors.ts'
import { ALGORITHMS, type JwtAlgorithm } from '../keys/algorithms.ts'
import { type KeyOptions, keyPlaceProblem } from '../keys/open-keys.ts'
import type { JwtLogger } from '../keys/refreshed-keys.ts'
import type { DecryptionOptions } from '../token/encrypted-tokens.ts'
import { parseRolePath, ROLE_PATHS_EXPECTED, type RolePath } from '../token/role-paths.ts'
import type { IntrospectionOptions } from './ask-introspection.ts'
import type { RevocationOptions } from './revocation.ts'

/** An issuer whose tokens are verified with its own keys, and with no others. */
export interface IssuerOptions extends KeyOptions {
  /** What `iss` must be, character by character. */
  readonly issuer: string
  /** Names the issuer in errors: `partner` makes `mp.jwt.verify.partner.publickey.location` of the property. Default: none. */
  readonly name?: string
  /** Default: the verifier's. */
  readonly algorithm?: JwtAlgorithm | readonly JwtAlgorithm[]
  /** Not empty. Default: the verifier's. */
  readonly audiences?: readonly string[]
}

/** Those with a property's name are MicroProfile JWT 2.1. */
export interface JwtVerifierOptions extends KeyOptions, DecryptionOptions, RevocationOptions {
  /**
   * `mp.jwt.verify.publickey.algorithm`: the only algorithm accepted, or several. A key is bound to its own `alg`; one without `alg`
   * serves each of these that it fits. Default: RS256.
   */
  readonly algorithm?: JwtAlgorithm | readonly JwtAlgorithm[]
  /** `mp.jwt.verify.issuer`: `iss` must be one of these. At least one. Those that are only a name share the verifier's keys. */
  readonly issuers: readonly (string | IssuerOptions)[]
  /** `mp.jwt.verify.audiences`: `aud` must share one of these. Default: `aud` is not checked. */
  readonly audiences?: readonly string[]
  /** `mp.jwt.verify.clock.skew`: allowance for exp, nbf and age, in seconds. Default: 0. */
  readonly clockSkewSeconds?: number
  /** `mp.jwt.verify.token.age`: seconds since `iat` after which a token is refused. Default: no limit. */
  readonly maxTokenAgeSeconds?: number
  /**
   * `smallrye.jwt.path.groups`: where roles are besides `groups`, such as `realm_access/roles`, or `"https://example.com/roles"` in
   * double quotes because of its slashes. An array of strings, or a string with roles separated by blanks. Roles in the array
   * `groups` count as well. Default: none.
   */
  readonly groupsPaths?: readonly string[]
  /** Accepted `typ` of the header, in any case; '' is a token without one. Default: '', JWT, at+jwt, application/at+jwt. */
  readonly tokenTypes?: readonly string[]
  /**
   * `rfc9068`: only access tokens after that RFC, so no ID token: `typ` is at+jwt, and iss, exp, aud, sub, client_id, iat and jti are
   * required; audiences must be set. Default: `microprofile`.
   */
  readonly tokenProfile?: 'microprofile' | 'rfc9068'
  /** Asks the issuer about tokens (RFC 7662). Default: nobody is asked, and a token that is no JWT is refused. */
  readonly introspection?: IntrospectionOptions
  /** Warns at the start of what should not be so in production. Default: false. */
  readonly isProduction?: boolean
  /**
   * Most verified tokens kept, from their second use on, so that they are not verified again; and most forged ones. Default: 1000. 0 turns
   * it off.
   */
  readonly cacheSize?: number
  /** The current time, in epoch milliseconds. Default: `Date.now`. */
  readonly clock?: () => number
  /** For remote keys and introspection. Default: the global `fetch`. */
  readonly fetch?: typeof fetch
  /** Logs when remote keys were read, when that or introspection failed, and warnings of the start. */
  readonly log?: JwtLogger
}

/** The full name of a property, of a named issuer if there is a name. */
export function propertyOf(name: string | undefined): (property: string) => string {
  return (property) => (name === undefined ? `mp.jwt.verify.${property}` : `mp.jwt.verify.${name}.${property}`)
}

export function algorithmsOf(own: IssuerOptions, options: JwtVerifierOptions): readonly JwtAlgorithm[] {
  const algorithm = own.algorithm ?? options.algorithm ?? 'RS256'
  return typeof algorithm === 'string' ? [algorithm] : [...algorithm]
}

export function rolePathsOf({ groupsPaths = [] }: JwtVerifierOptions): readonly RolePath[] {
  return groupsPaths.map((text) => {
    const path = parseRolePath(text)
    if (path !== undefined) return path
    const problem = `${JSON.stringify(text)} is not a path: expected ${ROLE_PATHS_EXPECTED}`
    throw new JwtConfigError('smallrye.jwt.path.groups', problem)
  })
}

/** One type: the prefix may be left out (RFC 7515, section 4.1.9; RFC 9068, section 4). */
const ACCESS_TOKEN_TYPES = ['at+jwt', 'application/at+jwt']

/**
 * Accepted `typ`, in lower case; '' is a token without.
 *
 * @throws {JwtConfigError} when the list is empty or contradicts the profile
 */
export function tokenTypesOf({ tokenTypes, tokenProfile = 'microprofile' }: JwtVerifierOptions): ReadonlySet<string> {
  if (tokenTypes !== undefined && tokenTypes.length === 0) throw new JwtConfigError('tokenTypes', 'must not be empty')
  if (tokenProfile === 'microprofile')
    return new Set((tokenTypes ?? ['', 'jwt', ...ACCESS_TOKEN_TYPES]).map((one) => one.toLowerCase()))
  if (tokenProfile !== 'rfc9068') throw new JwtConfigError('tokenProfile', 'must be microprofile or rfc9068')
  if (tokenTypes !== undefined) throw new JwtConfigError('tokenTypes', 'are given by the profile rfc9068')
  return new Set(ACCESS_TOKEN_TYPES)
}

/** @throws {JwtConfigError} when a property is invalid, naming the first one */
export function checkOptions(options: JwtVerifierOptions): void {
  const { issuers, publicKey, publicKeyLocation, discovery = false } = options
  const isKeyShared = issuers.length === 0 || issuers.some((entry) => typeof entry === 'string')
  if (isKeyShared) checkKeyPlace(options)
  else if (publicKey !== undefined || publicKeyLocation !== undefined || discovery) {
    throw new JwtConfigError(
      'mp.jwt.verify.issuer',
      'is not set: expected the issuer of the keys that belong to no other',
    )
  }
  const [texts, own] = [new Set<string>(), [] as IssuerOptions[]]
  for (const entry of issuers) typeof entry === 'string' ? texts.add(entry) : own.push(entry)
  const named = [...[...texts].map((issuer) => ({ issuer })), ...own]
  if (named.length === 0) throw noIssuer(undefined)
  for (const entry of named) checkIssuer(entry, options)
  if (new Set(named.map(({ issuer }) => issuer)).size < named.length) {
    throw new JwtConfigError('mp.jwt.verify.issuer', 'names an issuer twice')
  }
  for (const entry of own) checkKeyPlace(entry)
  assertWhole('mp.jwt.verify.clock.skew', options.clockSkewSeconds ?? 0, 0)
  assertWhole('mp.jwt.verify.token.age', options.maxTokenAgeSeconds ?? 1, 1)
  assertWhole('isRevokedTimeoutMs', options.isRevokedTimeoutMs ?? 1, 1)
  assertWhole('cacheSize', options.cacheSize ?? 0, 0)
}

function checkIssuer(own: IssuerOptions, options: JwtVerifierOptions): void {
  const property = propertyOf(own.name)
  if (own.issuer === '') throw noIssuer(own.name)
  const algorithms = algorithmsOf(own, options)
  const unknown = algorithms.find((algorithm) => !ALGORITHMS.includes(algorithm))
  if (unknown !== undefined || algorithms.length === 0) {
    const got = unknown === undefined ? 'none' : String(unknown)
    throw new JwtConfigError(property('publickey.algorithm'), `must be of ${ALGORITHMS.join(', ')}, got ${got}`)
  }
  if (own.audiences?.length === 0) throw new JwtConfigError(property('audiences'), 'must name one, or not be set')
  const audiences = own.audiences ?? options.audiences
  if (options.tokenProfile === 'rfc9068' && !audiences?.length) {
    throw new JwtConfigError(
      property('audiences'),
      'is not set: RFC 9068 wants the audience of every token to be checked',
    )
  }
  if (audiences?.includes('')) throw new JwtConfigError(property('audiences'), 'must not contain an empty audience')
}

function checkKeyPlace(options: KeyOptions & { readonly name?: string }): void {
  const found = keyPlaceProblem(options, propertyOf(options.name))
  if (found !== undefined) throw new JwtConfigError(found.property, found.problem)
}

function noIssuer(name: string | undefined): JwtConfigError {
  return new JwtConfigError(propertyOf(name)('issuer'), 'is not set: expected the issuer whose tokens are accepted')
}

export function assertWhole(property: string, value: number, min: number): void {
  if (!Number.isSafeInteger(value) || value < min) {
    throw new JwtConfigError(property, `must be a whole number of at least ${min}, got ${value}`)
  }
}
