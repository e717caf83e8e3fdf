import { JsonError, LIMITS, parseJson } from '@taproom/limits'
import { KeyFormatError } from './errors.ts'
import {
  isSecretJwk,
  type Jwk,
  type JwtAlgorithm,
  keyFromJwk,
  keyFromPem,
  privateKey,
  type VerificationKey,
} from './verification-key.ts'

/** Keys tried for a token that names none: more would let one request cost too much. */
const MAX_CANDIDATES = 8

/** Keys of one JWKS, usable or not: each takes a while to load. */
const MAX_KEYS = 50

/** Nothing in a JWK is nested; further members that somebody adds may be, a little. */
const MAX_DEPTH = 16

/** The keys in force at one time. */
export interface KeySet {
  readonly keys: readonly VerificationKey[]
  /**
   * The keys that may have signed a token with this `kid`: the one of that name; else those without a name; for a token without
   * `kid` all of them, at most 8.
   */
  candidates(kid: string | undefined): readonly VerificationKey[]
  /** Whether the key is one of these. */
  has(key: VerificationKey): boolean
}

/** The set of no keys. */
export const NO_KEYS: KeySet = keySet([])

/**
 * Reads keys in MicroProfile JWT's order of formats: PEM, JWK, JWKS, and the last two Base64URL encoded. Members of a JWKS
 * that are for something else (encryption, another algorithm, too short) are passed over, so a set may come out empty.
 *
 * @throws KeyFormatError for a secret key, two keys of one `kid`, more than 50 keys or 256 KiB, or anything unreadable
 */
export function parseKeys(text: string, algorithm: JwtAlgorithm): KeySet {
  if (text.length > LIMITS.keySetBytes) throw new KeyFormatError(`the text is larger than ${LIMITS.keySetBytes} bytes`)
  const trimmed = text.trim()
  if (trimmed.startsWith('-----BEGIN')) return keySet([keyFromPem(trimmed.replaceAll('\\n', '\n'), algorithm)])
  const json = parseObject(trimmed) ?? parseObject(Buffer.from(trimmed, 'base64url').toString())
  if (json === undefined) throw new KeyFormatError('the text is neither PEM, nor JWK, nor JWKS, nor Base64URL of these')
  return keySet('keys' in json ? keysOfSet(json, algorithm) : [keyFromJwk(json, algorithm)])
}

/** The same keys, with objects of `previous` kept for the keys that stay, so that their cached tokens stay too. */
export function succeed(previous: KeySet, next: KeySet): KeySet {
  const kept = new Map(previous.keys.map((key) => [key.id, key]))
  return keySet(next.keys.map((key) => kept.get(key.id) ?? key))
}

function keySet(keys: readonly VerificationKey[]): KeySet {
  const unnamed = keys.filter((key) => key.kid === undefined)
  return {
    keys,
    has: (key) => keys.includes(key),
    candidates(kid) {
      if (kid === undefined) return keys.slice(0, MAX_CANDIDATES)
      const named = keys.filter((key) => key.kid === kid)
      return named.length > 0 ? named : unnamed.slice(0, MAX_CANDIDATES)
    },
  }
}

function keysOfSet(json: Jwk, algorithm: JwtAlgorithm): VerificationKey[] {
  const jwks = json['keys']
  if (!Array.isArray(jwks) || !jwks.every(isObject)) throw new KeyFormatError('"keys" of a JWKS must be a list of JWKs')
  if (jwks.length > MAX_KEYS) throw new KeyFormatError(`a JWKS must not have more than ${MAX_KEYS} keys`)
  if (jwks.some(isSecretJwk)) throw privateKey()
  const keys = jwks.flatMap((jwk) => usable(jwk, algorithm))
  const kids = keys.flatMap(({ kid }) => kid ?? [])
  if (new Set(kids).size < kids.length) throw new KeyFormatError('two keys of the JWKS have the same kid')
  return keys
}

function usable(jwk: Jwk, algorithm: JwtAlgorithm): VerificationKey[] {
  try {
    return [keyFromJwk(jwk, algorithm)]
  } catch (error) {
    if (error instanceof KeyFormatError) return []
    throw error
  }
}

function parseObject(text: string): Jwk | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const value = parseJson(text, { maxDepth: MAX_DEPTH })
    return isObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof JsonError) return undefined
    throw error
  }
}

function isObject(value: unknown): value is Jwk {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
