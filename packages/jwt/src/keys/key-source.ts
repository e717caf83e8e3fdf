import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { JwtConfigError, KeyFormatError } from '../errors.ts'
import type { JwtAlgorithm } from './algorithms.ts'
import { type KeySet, parseKeys } from './key-set.ts'

export interface KeySource extends Disposable {
  /** The keys in force; none until a remote set has been read. */
  current(): KeySet
  /** Reads the keys again for a token that none fits, until `isFound`. Resolves when that is done, or at once if it is too early. */
  lookAgain(isFound: () => boolean): Promise<void>
  /** For the health check: where the keys are from, and why there are none. */
  state(): { readonly location: string; readonly error?: string }
}

/** @throws {JwtConfigError} when the text is not a usable key */
export function inlineKeys(property: string, text: string, algorithms: readonly JwtAlgorithm[]): KeySource {
  return fixedKeys(parse(property, text, algorithms), 'inline')
}

/** @throws {JwtConfigError} when the file cannot be read or has no usable key */
export async function fileKeys(
  property: string,
  location: string,
  algorithms: readonly JwtAlgorithm[],
): Promise<KeySource> {
  return fixedKeys(parse(property, await readKeyFile(property, location), algorithms), 'file')
}

/** Why a key set without usable keys is not usable itself. */
export function unusable({ ignored }: KeySet, algorithms: readonly JwtAlgorithm[]): string {
  const reasons = ignored.length === 0 ? 'it is empty' : ignored.slice(0, 3).join('; ')
  return `the key set has no key that is usable for ${algorithms.join(' or ')} (${reasons})`
}

function fixedKeys(keys: KeySet, location: string): KeySource {
  return {
    current: () => keys,
    lookAgain: () => Promise.resolve(),
    state: () => ({ location }),
    [Symbol.dispose]: () => {},
  }
}

/**
 * Reads a key file, given by its path or `file:` URL.
 *
 * @throws {JwtConfigError} when it cannot be read
 */
export async function readKeyFile(property: string, location: string): Promise<string> {
  try {
    return await readFile(location.startsWith('file:') ? fileURLToPath(location) : location, 'utf8')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : 'unreadable'
    throw new JwtConfigError(property, `can not read ${location} (${String(reason)})`, { cause: error })
  }
}

function parse(property: string, text: string, algorithms: readonly JwtAlgorithm[]): KeySet {
  try {
    const set = parseKeys(text, algorithms)
    if (set.keys.length === 0) throw new KeyFormatError(unusable(set, algorithms))
    return set
  } catch (error) {
    if (error instanceof KeyFormatError) throw new JwtConfigError(property, error.message, { cause: error })
    throw error
  }
}
