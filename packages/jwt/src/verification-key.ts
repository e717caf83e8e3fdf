import { createHash, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { type JwtAlgorithm, KEY_TYPES } from './algorithms.ts'
import { KeyFormatError } from './errors.ts'

/** A public key, bound to one algorithm (RFC 8725, section 3.1). */
export interface VerificationKey {
  /** The same for the same key, algorithm and `kid`, whatever format it was read from. */
  readonly id: string
  readonly kid: string | undefined
  readonly algorithm: JwtAlgorithm
  readonly key: KeyObject
}

/** With longer RSA keys or larger exponents, which are not in use, one verification takes milliseconds. */
const MAX_RSA_BITS = 8192
const MAX_RSA_EXPONENT = 2n ** 32n

/** A key of a JWKS, before it is checked. */
export type Jwk = Readonly<Record<string, unknown>>

/**
 * The key of a PEM text, bound to the first of the algorithms that it fits.
 *
 * @throws {KeyFormatError} when the text is not one public key that fits one of the algorithms
 */
export function keyFromPem(pem: string, algorithms: readonly JwtAlgorithm[]): VerificationKey {
  const labels = [...pem.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----/g)].map(([, label]) => label)
  if (labels.some((label) => label?.endsWith('PRIVATE KEY'))) throw privateKey()
  if (labels.length !== 1 || !/^(RSA )?PUBLIC KEY$/.test(labels[0] ?? '')) {
    throw new KeyFormatError('the PEM text must hold exactly one PUBLIC KEY')
  }
  return verificationKey(importKey(pem), undefined, algorithms)
}

/**
 * The key of a JWK, bound to its `alg`; one without `alg` to the first of the algorithms that it fits.
 *
 * @throws {KeyFormatError} when it is not a public key that fits one of the algorithms
 */
export function keyFromJwk(jwk: Jwk, algorithms: readonly JwtAlgorithm[]): VerificationKey {
  if (isSecretJwk(jwk)) throw privateKey()
  const allowed = jwk['alg'] === undefined ? algorithms : algorithms.filter((algorithm) => algorithm === jwk['alg'])
  if (allowed.length === 0) throw new KeyFormatError(`the key is not for ${algorithms.join(' or ')}`)
  if (jwk['use'] !== undefined && jwk['use'] !== 'sig') throw new KeyFormatError('the key is not for signatures')
  const operations = jwk['key_ops']
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) {
    throw new KeyFormatError('the key is not for verifying')
  }
  const kid = typeof jwk['kid'] === 'string' ? jwk['kid'] : undefined
  return verificationKey(importKey({ key: jwk as JsonWebKey, format: 'jwk' }), kid, allowed)
}

/** Whether a JWK is a private or symmetric key. */
export function isSecretJwk(jwk: Jwk): boolean {
  return jwk['kty'] === 'oct' || ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth'].some((member) => member in jwk)
}

export function privateKey(): KeyFormatError {
  return new KeyFormatError('a public key is expected here, this is a private or symmetric key')
}

function importKey(source: Parameters<typeof createPublicKey>[0]): KeyObject {
  try {
    return createPublicKey(source)
  } catch {
    // No cause: it may quote the text.
    throw new KeyFormatError('the text is not a readable public key')
  }
}

function verificationKey(
  key: KeyObject,
  kid: string | undefined,
  algorithms: readonly JwtAlgorithm[],
): VerificationKey {
  const algorithm = algorithms.find((one) => KEY_TYPES[one].fits(key))
  if (algorithm === undefined) {
    throw new KeyFormatError(algorithms.map((one) => `${one} needs ${KEY_TYPES[one].name}`).join(', '))
  }
  if (key.asymmetricKeyType === 'rsa') checkRsa(key)
  const hash = createHash('sha256').update(key.export({ type: 'spki', format: 'der' }))
  return { id: `${hash.digest('base64url')} ${algorithm} ${kid ?? ''}`, kid, algorithm, key }
}

function checkRsa({ asymmetricKeyDetails }: KeyObject): void {
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {}
  if (modulusLength < 2048) throw new KeyFormatError('an RSA key must have 2048 bits or more')
  if (modulusLength > MAX_RSA_BITS) throw new KeyFormatError(`an RSA key must not have more than ${MAX_RSA_BITS} bits`)
  if (publicExponent < 3n || publicExponent > MAX_RSA_EXPONENT || publicExponent % 2n === 0n) {
    throw new KeyFormatError('the exponent of an RSA key must be an odd number from 3 to 2^32')
  }
}
