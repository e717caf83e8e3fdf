import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PlatformError } from '../errors.ts'
import { readIfThere, replaceFile } from '../manifests/replace-file.ts'

/** The token's file cannot be read or made, or has no valid token. */
export class TokenFileError extends PlatformError {
  readonly code = 'KUBE_TOKEN_FILE'
}

const TOKEN_BYTES = 32
/** Valid in an Authorization header, and long enough not to be guessed. */
const TOKEN = /^[\w.~+/=-]{32,1024}$/

/**
 * The token for writing through the resource API: the file's, or a new one stored there, readable for its owner only. Undefined without a
 * file.
 *
 * @throws {TokenFileError} when the file cannot be read or made, or has less than 32 characters
 */
export async function openToken(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined
  try {
    const token = (await readIfThere(path))?.trim() ?? (await make(path))
    if (TOKEN.test(token)) return token
  } catch (cause) {
    throw new TokenFileError(`cannot read or make the token in ${path} (KUBE_TOKEN_FILE)`, { cause })
  }
  throw new TokenFileError(`the file ${path} (KUBE_TOKEN_FILE) must hold 32 to 1024 letters, digits and -._~+/=`)
}

async function make(path: string): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await replaceFile(path, [`${token}\n`])
  return token
}
