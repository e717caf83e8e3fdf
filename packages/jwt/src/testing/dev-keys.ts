import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, link, mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { JwtConfigError } from '../errors.ts'
import type { JwtAlgorithm } from '../keys/algorithms.ts'

export interface DevKeys {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  /** Set when the pair is kept in a folder. */
  readonly publicKeyFile?: string
}

const CURVES: Partial<Readonly<Record<JwtAlgorithm, string>>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }

/** A new key pair for the algorithm: RSA with 2048 bits, on the algorithm's curve, or Ed25519. */
export async function generateKeys(algorithm: JwtAlgorithm): Promise<DevKeys> {
  const namedCurve = CURVES[algorithm]
  if (namedCurve !== undefined) return promisify(generateKeyPair)('ec', { namedCurve })
  if (algorithm === 'EdDSA' || algorithm === 'Ed25519') return promisify(generateKeyPair)('ed25519')
  return promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
}

/** The key pair in a folder, which the first process generates. Only its owner can read the private key (mode 0600). */
export async function keysInFolder(folder: string, algorithm: JwtAlgorithm): Promise<DevKeys> {
  const privateKeyFile = join(folder, 'private-key.pem')
  const publicKeyFile = join(folder, 'public-key.pem')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await generateOnce(privateKeyFile, algorithm)
  await chmod(privateKeyFile, 0o600)

  const privateKey = parsePrivateKey(await readFile(privateKeyFile, 'utf8'), privateKeyFile)
  const publicKey = createPublicKey(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const draft = await writeDraft(publicKeyFile, publicKey.export({ type: 'spki', format: 'pem' }), 0o644)
  await rename(draft, publicKeyFile)
  return { privateKey, publicKey, publicKeyFile }
}

async function generateOnce(file: string, algorithm: JwtAlgorithm): Promise<void> {
  if (existsSync(file)) return
  const { privateKey } = await generateKeys(algorithm)
  const draft = await writeDraft(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), 0o600)
  try {
    await link(draft, file)
  } catch (error) {
    // Another process was first: use its key.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await unlink(draft)
  }
}

/** Files appear under their names only when complete, because other processes may be reading. */
async function writeDraft(file: string, content: string | Buffer, mode: number): Promise<string> {
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, content, { mode, flag: 'wx' })
  return draft
}

function parsePrivateKey(pem: string, file: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    // No cause: it may quote the key.
    throw new JwtConfigError('folder', `${file} is not a private key in PEM; delete it to have a new one generated`)
  }
}
