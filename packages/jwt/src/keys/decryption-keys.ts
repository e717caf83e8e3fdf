import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { isJsonObject, LIMITS } from '@taproom/core/limits'
import { JwtConfigError } from '../errors.ts'
import { readKeyFile, schemeOf } from './key-file.ts'
import { type Jwk, jsonIn } from './key-text.ts'

/** How the key of the content is encrypted (RFC 7518, section 4.3). */
export type DecryptionAlgorithm = 'RSA-OAEP' | 'RSA-OAEP-256'

export const DECRYPTION_ALGORITHMS: readonly DecryptionAlgorithm[] = ['RSA-OAEP', 'RSA-OAEP-256']

export interface DecryptionKey {
  readonly kid: string | undefined
  readonly key: KeyObject
  readonly algorithms: readonly DecryptionAlgorithm[]
  readonly bytes: number
}

const LOCATION = 'mp.jwt.decrypt.key.location'
const MAX_RSA_BITS = 8192
/** Most keys of a set: each may be tried for a token that names none. */
const MAX_KEYS = 4

/**
 * Reads private RSA keys of 2048 to 8192 bits from a file: PEM, JWK, JWKS, or Base64URL of the last two. Never over a network.
 *
 * @throws {JwtConfigError} when the file cannot be read, or has anything else; no part of it is quoted
 */
export async function readDecryptionKeys(
  location: string,
  algorithms: readonly DecryptionAlgorithm[],
): Promise<readonly DecryptionKey[]> {
  if (schemeOf(location) !== 'file') throw unusable('must be a path or a file: URL')
  const text = (await readKeyFile(LOCATION, location)).trim()
  if (text.length > LIMITS.keySetBytes) throw unusable(`the file is larger than ${LIMITS.keySetBytes} bytes`)
  if (text.startsWith('-----BEGIN')) return [decryptionKey(text, undefined, algorithms)]
  const json = jsonIn(text) ?? jsonIn(Buffer.from(text, 'base64url').toString())
  const jwks = json !== undefined && 'keys' in json ? json['keys'] : [json]
  if (!Array.isArray(jwks) || !jwks.every(isJsonObject) || jwks.length === 0) {
    throw unusable('the file has neither PEM, nor JWK, nor JWKS, nor Base64URL of these')
  }
  if (jwks.length > MAX_KEYS) throw unusable(`a JWKS must not have more than ${MAX_KEYS} keys`)
  return jwks.map((jwk) => keyOfJwk(jwk, algorithms))
}

function keyOfJwk(jwk: Jwk, algorithms: readonly DecryptionAlgorithm[]): DecryptionKey {
  const { alg, use, key_ops: operations, kid } = jwk
  const allowed = alg === undefined ? algorithms : algorithms.filter((one) => one === alg)
  if (allowed.length === 0) throw unusable(`the key is not for ${algorithms.join(' or ')}`)
  if (use !== undefined && use !== 'enc') throw unusable('the key is not for encryption')
  const isFor = Array.isArray(operations) && operations.some((one) => one === 'decrypt' || one === 'unwrapKey')
  if (operations !== undefined && !isFor) throw unusable('the key is not for decrypting')
  const name = typeof kid === 'string' ? kid : undefined
  return decryptionKey({ key: jwk as JsonWebKey, format: 'jwk' }, name, allowed)
}

function decryptionKey(
  source: Parameters<typeof createPrivateKey>[0],
  kid: string | undefined,
  algorithms: readonly DecryptionAlgorithm[],
): DecryptionKey {
  const key = importKey(source)
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType !== 'rsa' || modulusLength < 2048 || modulusLength > MAX_RSA_BITS) {
    throw unusable(`must be a private RSA key of 2048 to ${MAX_RSA_BITS} bits`)
  }
  return { kid, key, algorithms, bytes: Math.ceil(modulusLength / 8) }
}

function importKey(source: Parameters<typeof createPrivateKey>[0]): KeyObject {
  try {
    return createPrivateKey(source)
  } catch {
    // No cause: it may quote the key.
    throw unusable('the file has no readable private key')
  }
}

function unusable(problem: string): JwtConfigError {
  return new JwtConfigError(LOCATION, problem)
}
