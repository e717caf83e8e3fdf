import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { PlatformError } from '../errors.ts'
import { readIfThere } from '../manifests/replace-file.ts'

/** The signing key's file cannot be read or made, or has no valid key. */
export class KeyFileError extends PlatformError {
  readonly code = 'OIDC_KEY_FILE'
}

/** The key that the platform signs its tokens with (RS256). */
export interface SigningKey {
  readonly privateKey: KeyObject
  /** The public part, as in a key set; `kid` is its thumbprint (RFC 7638). */
  readonly jwk: Readonly<Record<'kty' | 'n' | 'e' | 'kid' | 'alg' | 'use', string>>
}

const MODULUS_BITS = 2048
const MOST_MODULUS_BITS = 8192

/**
 * The key of the file, or a new one stored there, readable for its owner only. Without a file it is made when it is needed first, and ends
 * with the process.
 *
 * @throws {KeyFileError} when the file cannot be read or made, or holds no RSA key of 2048 to 8192 bits
 */
export async function openSigningKey(path: string | undefined): Promise<() => Promise<SigningKey>> {
  if (path === undefined) {
    let made: Promise<SigningKey> | undefined
    return () => (made ??= generate().then(signingKey))
  }
  const key = signingKey(await keyInFile(path))
  return async () => key
}

async function keyInFile(path: string): Promise<KeyObject> {
  let pem: string | undefined
  try {
    pem = (await readIfThere(path)) ?? (await make(path))
  } catch (cause) {
    throw new KeyFileError(`cannot read or make the key in ${path} (OIDC_KEY_FILE)`, { cause })
  }
  const key = parse(pem)
  const bits = key?.asymmetricKeyDetails?.modulusLength ?? 0
  if (key?.asymmetricKeyType === 'rsa' && bits >= MODULUS_BITS && bits <= MOST_MODULUS_BITS) return key
  throw new KeyFileError(`the file ${path} (OIDC_KEY_FILE) must hold a private RSA key of 2048 to 8192 bits in PEM`)
}

/** Without the reason why not: it may quote the key. */
function parse(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem)
  } catch {
    return undefined
  }
}

/** Of several platforms that start in one folder at once one makes the file, whole, and the others read it. */
async function make(path: string): Promise<string> {
  const pem = (await generate()).export({ type: 'pkcs8', format: 'pem' }).toString()
  const draft = `${path}.${randomUUID()}.new`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  try {
    await writeFile(draft, pem, { mode: 0o600, flag: 'wx', flush: true })
    await link(draft, path)
    return pem
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return await readFile(path, 'utf8')
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

async function generate(): Promise<KeyObject> {
  return (await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS })).privateKey
}

function signingKey(privateKey: KeyObject): SigningKey {
  const { n = '', e = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  const thumbprint = JSON.stringify({ e, kty: 'RSA', n })
  const kid = createHash('sha256').update(thumbprint).digest('base64url')
  return { privateKey, jwk: { kty: 'RSA', n, e, kid, alg: 'RS256', use: 'sig' } }
}
