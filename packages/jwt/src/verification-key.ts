import {
  constants,
  createHash,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  type VerifyKeyObjectInput,
} from 'node:crypto'
import { KeyFormatError } from './errors.ts'

/** The signature algorithms of MicroProfile JWT. */
export type JwtAlgorithm = 'RS256' | 'ES256'

export interface VerificationKey {
  /** The same for the same key and `kid`, whatever format it was read from. */
  readonly id: string
  readonly kid: string | undefined
  /** The key with its signature scheme, over SHA-256. */
  readonly scheme: VerifyKeyObjectInput
  readonly signatureBytes: number
}

/** With longer RSA keys or larger exponents, which are not in use, one verification takes milliseconds. */
const MAX_RSA_BITS = 8192
const MAX_RSA_EXPONENT = 2n ** 32n

/** RSASSA-PKCS1-v1_5, and ECDSA with concatenated r and s (RFC 7518, sections 3.3 and 3.4). */
const SCHEMES = {
  RS256: { padding: constants.RSA_PKCS1_PADDING },
  ES256: { dsaEncoding: 'ieee-p1363' },
} as const

/** A key of a JWKS, before it is checked. */
export type Jwk = Readonly<Record<string, unknown>>

/** @throws {KeyFormatError} when the text is not one public key that fits the algorithm */
export function keyFromPem(pem: string, algorithm: JwtAlgorithm): VerificationKey {
  const labels = [...pem.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----/g)].map(([, label]) => label)
  if (labels.some((label) => label?.endsWith('PRIVATE KEY'))) throw privateKey()
  if (labels.length !== 1 || !/^(RSA )?PUBLIC KEY$/.test(labels[0] ?? '')) {
    throw new KeyFormatError('the PEM text must hold exactly one PUBLIC KEY')
  }
  return verificationKey(importKey(pem), undefined, algorithm)
}

/** @throws {KeyFormatError} when it is not a public key that fits the algorithm */
export function keyFromJwk(jwk: Jwk, algorithm: JwtAlgorithm): VerificationKey {
  if (isSecretJwk(jwk)) throw privateKey()
  if (jwk['alg'] !== undefined && jwk['alg'] !== algorithm) throw new KeyFormatError(`the key is not for ${algorithm}`)
  if (jwk['use'] !== undefined && jwk['use'] !== 'sig') throw new KeyFormatError('the key is not for signatures')
  const operations = jwk['key_ops']
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) {
    throw new KeyFormatError('the key is not for verifying')
  }
  const kid = typeof jwk['kid'] === 'string' ? jwk['kid'] : undefined
  return verificationKey(importKey({ key: jwk as JsonWebKey, format: 'jwk' }), kid, algorithm)
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

function verificationKey(key: KeyObject, kid: string | undefined, algorithm: JwtAlgorithm): VerificationKey {
  const signatureBytes = algorithm === 'RS256' ? rsaBytes(key) : p256Bytes(key)
  const hash = createHash('sha256').update(key.export({ type: 'spki', format: 'der' }))
  return { id: `${hash.digest('base64url')} ${kid ?? ''}`, kid, scheme: { key, ...SCHEMES[algorithm] }, signatureBytes }
}

function rsaBytes({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): number {
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {}
  if (asymmetricKeyType !== 'rsa') throw new KeyFormatError('RS256 needs an RSA key')
  if (modulusLength < 2048) throw new KeyFormatError('an RSA key must have 2048 bits or more')
  if (modulusLength > MAX_RSA_BITS) throw new KeyFormatError(`an RSA key must not have more than ${MAX_RSA_BITS} bits`)
  if (publicExponent < 3n || publicExponent > MAX_RSA_EXPONENT || publicExponent % 2n === 0n) {
    throw new KeyFormatError('the exponent of an RSA key must be an odd number from 3 to 2^32')
  }
  return Math.ceil(modulusLength / 8)
}

function p256Bytes({ asymmetricKeyDetails }: KeyObject): number {
  if (asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new KeyFormatError('ES256 needs a key on the curve P-256')
  return 64
}
