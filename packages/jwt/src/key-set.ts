import { isJsonObject, JsonError, LIMITS, parseJson } from '@taproom/limits'
import type { JwtAlgorithm } from './algorithms.ts'
import { KeyFormatError } from './errors.ts'
import { isSecretJwk, type Jwk, keyFromJwk, keyFromPem, privateKey, type VerificationKey } from './verification-key.ts'

/** Most keys tried for a token without `kid`: more would make one request too expensive. */
const MAX_CANDIDATES = 8

/** Most keys of one JWKS, usable or not, because each takes time to load. */
const MAX_KEYS = 50

/** A JWK has no nesting of its own; custom members may have some. */
const MAX_DEPTH = 16

export interface KeySet {
  readonly keys: readonly VerificationKey[]
  /**
   * The keys of this algorithm that may have signed a token with this `kid`: the key with that `kid`, else those without one. For a token
   * without `kid` all of them, at most 8.
   */
  candidates(kid: string | undefined, algorithm: JwtAlgorithm): readonly VerificationKey[]
  has(key: VerificationKey): boolean
}

export const NO_KEYS: KeySet = keySet([])

/**
 * Reads keys in MicroProfile JWT's order of formats: PEM, JWK, JWKS, and the last two Base64URL encoded. Unsuitable keys of a JWKS (for
 * encryption, of another algorithm, too short) are ignored, so the set may be empty.
 *
 * @throws {KeyFormatError} when the text is unreadable, has a secret key, two keys with the same `kid`, more than 50 keys or 256 KiB
 */
export function parseKeys(text: string, algorithms: readonly JwtAlgorithm[]): KeySet {
  if (text.length > LIMITS.keySetBytes) throw new KeyFormatError(`the text is larger than ${LIMITS.keySetBytes} bytes`)
  const trimmed = text.trim()
  if (trimmed.startsWith('-----BEGIN')) return keySet([keyFromPem(trimmed.replaceAll('\\n', '\n'), algorithms)])
  const json = parseObject(trimmed) ?? parseObject(Buffer.from(trimmed, 'base64url').toString())
  if (json === undefined) throw new KeyFormatError('the text is neither PEM, nor JWK, nor JWKS, nor Base64URL of these')
  return keySet('keys' in json ? keysOfSet(json, algorithms) : [keyFromJwk(json, algorithms)])
}

/** The keys of `next`, as the objects of `previous` where they are the same keys, so that their cached tokens stay valid. */
export function succeed(previous: KeySet, next: KeySet): KeySet {
  const kept = new Map(previous.keys.map((key) => [key.id, key]))
  return keySet(next.keys.map((key) => kept.get(key.id) ?? key))
}

function keySet(keys: readonly VerificationKey[]): KeySet {
  const unnamed = keys.filter((key) => key.kid === undefined)
  return {
    keys,
    has: (key) => keys.includes(key),
    candidates(kid, algorithm) {
      const named = kid === undefined ? keys : keys.filter((key) => key.kid === kid)
      const possible = named.length > 0 ? named : unnamed
      return possible.filter((key) => key.algorithm === algorithm).slice(0, MAX_CANDIDATES)
    },
  }
}

function keysOfSet(json: Jwk, algorithms: readonly JwtAlgorithm[]): VerificationKey[] {
  const jwks = json['keys']
  if (!Array.isArray(jwks) || !jwks.every(isJsonObject))
    throw new KeyFormatError('"keys" of a JWKS must be a list of JWKs')
  if (jwks.length > MAX_KEYS) throw new KeyFormatError(`a JWKS must not have more than ${MAX_KEYS} keys`)
  if (jwks.some(isSecretJwk)) throw privateKey()
  const keys = jwks.flatMap((jwk) => usable(jwk, algorithms))
  const kids = keys.flatMap(({ kid }) => kid ?? [])
  if (new Set(kids).size < kids.length) throw new KeyFormatError('two keys of the JWKS have the same kid')
  return keys
}

function usable(jwk: Jwk, algorithms: readonly JwtAlgorithm[]): VerificationKey[] {
  try {
    return [keyFromJwk(jwk, algorithms)]
  } catch (error) {
    if (error instanceof KeyFormatError) return []
    throw error
  }
}

function parseObject(text: string): Jwk | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const value = parseJson(text, { maxDepth: MAX_DEPTH })
    return isJsonObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof JsonError) return undefined
    throw error
  }
}
