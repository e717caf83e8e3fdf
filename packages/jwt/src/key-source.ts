import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { JwtConfigError, KeyFormatError } from './errors.ts'
import { type KeySet, parseKeys } from './key-set.ts'
import type { JwtAlgorithm } from './verification-key.ts'

/** Where the keys come from. */
export interface KeySource extends Disposable {
  /** The keys in force now; none while a remote set has not been read. */
  current(): KeySet
  /** Called for a token whose `kid` is not in force. Resolves when looking again has ended, or at once if it is too early for that. */
  lookAgain(): Promise<void>
  /** Why the source has no keys, or how old they are. */
  state(): KeySourceState
}

/** For the health check. */
export interface KeySourceState {
  readonly location: string
  readonly error?: string
}

/** MicroProfile's names of the two key options. */
export const INLINE = 'mp.jwt.verify.publickey'
export const LOCATION = 'mp.jwt.verify.publickey.location'

/** @throws JwtConfigError when the text is not a usable key */
export function inlineKeys(text: string, algorithm: JwtAlgorithm): KeySource {
  return fixedKeys(parse(INLINE, text, algorithm), 'inline')
}

/** @throws JwtConfigError when the file can not be read or has no usable key */
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
