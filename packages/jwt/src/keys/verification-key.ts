import { createHash, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { KeyFormatError } from '../errors.ts'
import { type JwtAlgorithm, KEY_TYPES } from './algorithms.ts'
import { found, type Jwk } from './key-text.ts'

/** A public key, bound to its algorithms (RFC 8725, section 3.1). */
export interface VerificationKey {
  /** The same for the same key, algorithms and `kid`, whatever format it was read from. */
  readonly id: string
  readonly kid: string | undefined
  readonly algorithms: readonly JwtAlgorithm[]
  readonly key: KeyObject
}

/** With longer RSA keys or larger exponents, which are not in use, one verification takes milliseconds. */
const MAX_RSA_BITS = 8192
const MAX_RSA_EXPONENT = 2n ** 32n

/**
 * The key of a JWK, bound to its `alg`; one without `alg` to those of the algorithms that it fits.
 *
 * @throws {KeyFormatError} when it is not a public key that fits one of the algorithms
 */
export function keyFromJwk(jwk: Jwk, algorithms: readonly JwtAlgorithm[]): VerificationKey {
  if (isPrivateJwk(jwk)) throw found('a private JWK')
  if (isSymmetricJwk(jwk)) throw found('a symmetric secret as JWK')
  if (typeof jwk['kty'] !== 'string') throw found(jsonKind(jwk))
  const allowed = jwk['alg'] === undefined ? algorithms : algorithms.filter((algorithm) => algorithm === jwk['alg'])
  if (allowed.length === 0) throw new KeyFormatError(`the key is not for ${algorithms.join(' or ')}`)
  if (jwk['use'] !== undefined && jwk['use'] !== 'sig') throw new KeyFormatError('the key is not for signatures')
  const operations = jwk['key_ops']
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) {
    throw new KeyFormatError('the key is not for verifying')
  }
  const kid = typeof jwk['kid'] === 'string' ? jwk['kid'] : undefined
  return verificationKey(importJwk(jwk), kid, allowed)
}

/** True for a private key: its owner has published it, so that anyone can sign. */
export function isPrivateJwk(jwk: Jwk): boolean {
  return ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth'].some((member) => member in jwk)
}

function isSymmetricJwk(jwk: Jwk): boolean {
  return jwk['kty'] === 'oct' || 'k' in jwk
}

function jsonKind(jwk: Jwk): string {
  return 'jwks_uri' in jwk
    ? 'metadata of an issuer, whose jwks_uri is the key set'
    : 'a JSON object without "kty" or "keys"'
}

function importJwk(jwk: Jwk): KeyObject {
  try {
    return createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
  } catch {
    // No cause: it may quote the text.
    throw found('a JWK that is not readable')
  }
}

/**
 * A key bound to those of the algorithms that it fits.
 *
 * @throws {KeyFormatError} when it fits none, or is too short or too long
 */
export function verificationKey(
  key: KeyObject,
  kid: string | undefined,
  allowed: readonly JwtAlgorithm[],
): VerificationKey {
  const algorithms = allowed.filter((one) => KEY_TYPES[one].fits(key))
  if (algorithms.length === 0) {
    const needs = allowed.map((one) => `${one} needs ${KEY_TYPES[one].name}`).join(', ')
    throw new KeyFormatError(`found ${kindOf(key)}: ${needs}`)
  }
  if (key.asymmetricKeyType === 'rsa') checkRsa(key)
  const hash = createHash('sha256').update(key.export({ type: 'spki', format: 'der' }))
  return { id: `${hash.digest('base64url')} ${algorithms.join()} ${JSON.stringify(kid)}`, kid, algorithms, key }
}

function kindOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string {
  const curve = asymmetricKeyDetails?.namedCurve
  return `a public key of type ${asymmetricKeyType}${curve === undefined ? '' : ` on the curve ${curve}`}`
}

function checkRsa({ asymmetricKeyDetails }: KeyObject): void {
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {}
  if (modulusLength < 2048 || modulusLength > MAX_RSA_BITS) {
    throw new KeyFormatError(`found an RSA key of ${modulusLength} bits: expected 2048 to ${MAX_RSA_BITS}`)
  }
  if (publicExponent < 3n || publicExponent > MAX_RSA_EXPONENT || publicExponent % 2n === 0n) {
    throw new KeyFormatError('the exponent of an RSA key must be an odd number from 3 to 2^32')
  }
}
