import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { JwtConfigError, KeyFormatError } from './errors.ts'
import { type KeySet, parseKeys } from './key-set.ts'
import type { JwtAlgorithm } from './verification-key.ts'

export interface KeySource extends Disposable {
  /** The keys in force; none until a remote set has been read. */
  current(): KeySet
  /** Reads the keys again for a token whose `kid` is unknown. Resolves when that is done, or at once if it is too early. */
  lookAgain(): Promise<void>
  /** For the health check: where the keys are from, and why there are none. */
  state(): { readonly location: string; readonly error?: string }
}

/** MicroProfile's names of the two key options. */
export const INLINE = 'mp.jwt.verify.publickey'
export const LOCATION = 'mp.jwt.verify.publickey.location'

/** @throws {JwtConfigError} when the text is not a usable key */
export function inlineKeys(text: string, algorithm: JwtAlgorithm): KeySource {
  return fixedKeys(parse(INLINE, text, algorithm), 'inline')
}

/** @throws {JwtConfigError} when the file cannot be read or has no usable key */
export async function fileKeys(location: string, algorithm: JwtAlgorithm): Promise<KeySource> {
  return fixedKeys(parse(LOCATION, await read(location), algorithm), 'file')
}

function fixedKeys(keys: KeySet, location: string): KeySource {
  return {
    current: () => keys,
    lookAgain: () => Promise.resolve(),
    state: () => ({ location }),
    [Symbol.dispose]: () => {},
  }
}

async function read(location: string): Promise<string> {
  try {
    return await readFile(location.startsWith('file:') ? fileURLToPath(location) : location, 'utf8')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : 'unreadable'
    throw new JwtConfigError(LOCATION, `can not read ${location} (${String(reason)})`, { cause: error })
  }
}

function parse(property: string, text: string, algorithm: JwtAlgorithm): KeySet {
  try {
    const set = parseKeys(text, algorithm)
    if (set.keys.length === 0) throw new KeyFormatError(`the JWKS has no key that is usable for ${algorithm}`)
    return set
  } catch (error) {
    if (error instanceof KeyFormatError) throw new JwtConfigError(property, error.message, { cause: error })
    throw error
  }
}
