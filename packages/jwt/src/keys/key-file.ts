import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { JwtConfigError } from '../errors.ts'

/** The scheme of a URL, in lower case; `file` for a path. */
export function schemeOf(location: string): string {
  return /^([a-z][a-z0-9+.-]+):/i.exec(location)?.[1]?.toLowerCase() ?? 'file'
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
