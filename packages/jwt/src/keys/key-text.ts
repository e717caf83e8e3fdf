import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { isJsonObject, JsonError, parseJson } from '@taproom/core/limits'
import { KeyFormatError } from '../errors.ts'

/** A key of a JWKS, or the set, before it is checked. */
export type Jwk = Readonly<Record<string, unknown>>

/** A JWK has no nesting of its own, an issuer's metadata has little; custom members may have some. */
const MAX_DEPTH = 16

const PUBLIC_DER: Readonly<Record<string, (key: Buffer) => KeyObject>> = {
  'PUBLIC KEY': (key) => createPublicKey({ key, format: 'der', type: 'spki' }),
  'RSA PUBLIC KEY': (key) => createPublicKey({ key, format: 'der', type: 'pkcs1' }),
  CERTIFICATE: (der) => new X509Certificate(der).publicKey,
}

/**
 * Reads the key in a PEM text, also on one line with blanks or `\n` for line breaks; in an X.509 certificate, of which nothing else is
 * checked; or in Base64, as the properties of Quarkus have it. Gives a JWK or JWKS, also in Base64URL, as an object.
 *
 * @throws {KeyFormatError} for anything else, with what was found; no part of the text is quoted but the label of a PEM block
 */
export function readKeyText(text: string): KeyObject | Jwk {
  const trimmed = text.trim()
  const json = jsonIn(text)
  if (json !== undefined) return json
  const labels = [...trimmed.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----/g)].map(([, label = '']) => label)
  if (labels.length > 0) return keyFromPem(trimmed, labels)
  const bytes = base64In(trimmed)
  if (bytes === undefined) throw found(textKind(trimmed))
  // Node gives the public part of a private key where a public one is expected.
  if (isPrivateDer(bytes)) throw found('a private key in Base64')
  for (const read of Object.values(PUBLIC_DER)) {
    const key = attempt(read, bytes)
    if (key !== undefined) return key
  }
  const encoded = jsonIn(bytes.toString())
  if (encoded !== undefined) return encoded
  throw found(textKind(trimmed))
}

export function found(what: string): KeyFormatError {
  return new KeyFormatError(
    `found ${what}: expected a public key as PEM, as X.509 certificate in PEM, in Base64, or as JWK or JWKS`,
  )
}

function keyFromPem(text: string, labels: readonly string[]): KeyObject {
  const [label = ''] = labels
  if (labels.some((one) => one.endsWith('PRIVATE KEY'))) throw found('a private key in PEM')
  if (labels.length > 1) throw found(`${labels.length} blocks of PEM, where exactly one may be`)
  const read = Object.hasOwn(PUBLIC_DER, label) ? PUBLIC_DER[label] : undefined
  if (read === undefined) throw found(PEM_KINDS[label] ?? `a PEM block ${JSON.stringify(label.slice(0, 40))}`)
  const body = /-----BEGIN [A-Z0-9 ]+-----([^-]*)-----END /.exec(text)?.[1]?.replaceAll(/\\[nr]/g, '')
  const bytes = body === undefined ? undefined : base64In(body)
  if (bytes !== undefined && isPrivateDer(bytes)) throw found('a private key in PEM')
  const key = bytes && attempt(read, bytes)
  if (key === undefined) throw found(`a PEM block ${JSON.stringify(label)} that is not readable`)
  return key
}

const PEM_KINDS: Readonly<Record<string, string>> = {
  'CERTIFICATE REQUEST': 'a certificate request',
  'NEW CERTIFICATE REQUEST': 'a certificate request',
  'PGP PUBLIC KEY BLOCK': 'an OpenPGP key',
}

/** The bytes of a Base64 or Base64URL text with any line breaks. */
function base64In(text: string): Buffer | undefined {
  const compact = text.replaceAll(/\s/g, '')
  return /^[\w+/-]+={0,2}$/.test(compact) ? Buffer.from(compact, 'base64') : undefined
}

/** The object in a text, also behind a byte order mark; undefined for anything else. */
export function jsonIn(text: string): Jwk | undefined {
  try {
    const value = parseJson(text.trim(), { maxDepth: MAX_DEPTH })
    return isJsonObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof JsonError) return undefined
    throw error
  }
}

function isPrivateDer(key: Buffer): boolean {
  const types = ['pkcs8', 'pkcs1', 'sec1'] as const
  return types.some((type) => attempt((bytes) => createPrivateKey({ key: bytes, format: 'der', type }), key))
}

/** Errors of OpenSSL may quote the text. */
function attempt(read: (bytes: Buffer) => KeyObject, bytes: Buffer): KeyObject | undefined {
  try {
    return read(bytes)
  } catch {
    return undefined
  }
}

function textKind(text: string): string {
  if (text === '') return 'nothing'
  if (text.startsWith('<')) return 'an HTML or XML page'
  if (text.startsWith('{')) return `JSON that is broken or nested deeper than ${MAX_DEPTH} levels`
  if (/^(ssh|ecdsa)-/.test(text)) return 'an OpenSSH key'
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) return 'a token'
  return `a text of ${text.length} characters that is none of these`
}
