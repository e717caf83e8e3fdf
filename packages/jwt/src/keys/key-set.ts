import { KeyObject } from 'node:crypto'
import { isJsonObject, LIMITS } from '@taproom/core/limits'
import { JwtConfigError, KeyFormatError } from '../errors.ts'
import type { JwtAlgorithm } from './algorithms.ts'
import { found, type Jwk, readKeyText } from './key-text.ts'
import { isPrivateJwk, keyFromJwk, type VerificationKey, verificationKey } from './verification-key.ts'

/** Most keys tried for a token without `kid`: more would make one request too expensive. */
const MAX_CANDIDATES = 8

/** Most keys of one JWKS, usable or not, because each takes time to load. */
const MAX_KEYS = 50

export interface KeySet {
  readonly keys: readonly VerificationKey[]
  /** Why other keys of the set are not usable, each reason once. */
  readonly ignored: readonly string[]
  /** The keys of this algorithm that may have signed a token with this `kid`, at most 8. */
  candidates(kid: string | undefined, algorithm: JwtAlgorithm): readonly VerificationKey[]
}

export interface KeySource extends Disposable {
  /** The keys in force; none until a remote set has been read. */
  current(): KeySet
  /** Reads the keys again for a token that none fits, until `isFound`. Resolves when that is done, or at once if it is too early. */
  lookAgain(isFound: () => boolean): Promise<void>
  /** For the health check: where the keys are from, and why there are none. */
  state(): { readonly location: string; readonly error?: string }
}

export const NO_KEYS: KeySet = keySet([])

/**
 * Reads a key, or the keys of a JWKS. Keys of a JWKS that are unsuitable (symmetric, for encryption, of another type or algorithm, too short,
 * not readable) are ignored (RFC 7517, section 5), so the set may be empty.
 *
 * @throws {KeyFormatError} when the text is something else, or has a private key, more than 50 keys or 256 KiB
 */
export function parseKeys(text: string, algorithms: readonly JwtAlgorithm[]): KeySet {
  if (text.length > LIMITS.keySetBytes) throw new KeyFormatError(`the text is larger than ${LIMITS.keySetBytes} bytes`)
  const read = readKeyText(text)
  if (read instanceof KeyObject) return keySet([verificationKey(read, undefined, algorithms)])
  return 'keys' in read ? keysOfSet(read, algorithms) : keySet([keyFromJwk(read, algorithms)])
}

/** The keys of `next`, as the objects of `previous` where they are the same keys, so that their cached tokens stay valid. */
export function succeed(previous: KeySet, next: KeySet): KeySet {
  const kept = new Map(previous.keys.map((key) => [key.id, key]))
  return keySet(
    next.keys.map((key) => kept.get(key.id) ?? key),
    next.ignored,
  )
}

/** Keys that do not change. */
export function fixedKeys(keys: KeySet): KeySource {
  return {
    current: () => keys,
    lookAgain: () => Promise.resolve(),
    state: () => ({ location: 'inline' }),
    [Symbol.dispose]: () => {},
  }
}

/** @throws {JwtConfigError} when the text has no usable key; it names the property */
export function usableKeys(property: string, text: string, algorithms: readonly JwtAlgorithm[]): KeySet {
  try {
    const set = parseKeys(text, algorithms)
    if (set.keys.length === 0) throw new KeyFormatError(unusable(set, algorithms))
    return set
  } catch (error) {
    if (error instanceof KeyFormatError) throw new JwtConfigError(property, error.message, { cause: error })
    throw error
  }
}

/** Why a key set without usable keys is not usable itself. */
export function unusable({ ignored }: KeySet, algorithms: readonly JwtAlgorithm[]): string {
  const reasons = ignored.length === 0 ? 'it is empty' : ignored.slice(0, 3).join('; ')
  return `the key set has no key that is usable for ${algorithms.join(' or ')} (${reasons})`
}

/** The keys with this `kid`, which may be several (RFC 7517, section 4.5), else those without one; all keys for a token without `kid`. */
export function keysNamed<Key extends { readonly kid: string | undefined }>(
  keys: readonly Key[],
  kid: string | undefined,
): readonly Key[] {
  if (kid === undefined) return keys
  const named = keys.filter((key) => key.kid === kid)
  return named.length > 0 ? named : keys.filter((key) => key.kid === undefined)
}

function keySet(keys: readonly VerificationKey[], ignored: readonly string[] = []): KeySet {
  return {
    keys,
    ignored,
    candidates: (kid, algorithm) =>
      keysNamed(keys, kid)
        .filter((key) => key.algorithms.includes(algorithm))
        .slice(0, MAX_CANDIDATES),
  }
}

function keysOfSet(json: Jwk, algorithms: readonly JwtAlgorithm[]): KeySet {
  const jwks = json['keys']
  if (!Array.isArray(jwks) || !jwks.every(isJsonObject)) throw found('a JWKS whose "keys" are not a list of JWKs')
  if (jwks.length > MAX_KEYS) throw new KeyFormatError(`a JWKS must not have more than ${MAX_KEYS} keys`)
  if (jwks.some(isPrivateJwk)) throw found('a private JWK in a JWKS')
  const keys: VerificationKey[] = []
  const ignored = new Set<string>()
  for (const jwk of jwks) {
    try {
      keys.push(keyFromJwk(jwk, algorithms))
    } catch (error) {
      if (!(error instanceof KeyFormatError)) throw error
      ignored.add(error.message)
    }
  }
  return keySet(keys, [...ignored])
}
