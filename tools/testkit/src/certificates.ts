import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

/** A certificate and its private key, in PEM. */
export interface TestCertificate {
  readonly certificate: string
  readonly key: string
  /** The key, encrypted with a password. */
  keyEncryptedWith(password: string): string
}

export interface CertificateOptions {
  /** Common name of the subject. Default: the first of `names`. */
  readonly commonName?: string
  /** Host names and IPv4 addresses that it is for. */
  readonly names?: readonly string[]
  /** Default: a day from now. */
  readonly expiresAt?: Date
  /** Of an RSA key. Default: a key of P-256. */
  readonly modulusBits?: number
}

/** A certificate authority for tests. */
export interface TestAuthority {
  readonly certificate: string
  issue(options: CertificateOptions): TestCertificate
}

const DAY_MS = 86_400_000

/** Makes an authority with a key of its own. */
export function createAuthority(commonName = 'Test CA'): TestAuthority {
  const keys = createKeys()
  const issuer = nameOf(commonName)
  const signedBy = { issuer, key: keys.privateKey }
  return {
    certificate: certificateOf({ subject: issuer, publicKey: keys.publicKey, isAuthority: true }, signedBy),
    issue({ names = [], commonName: own = names[0] ?? 'nobody', expiresAt, modulusBits }) {
      const { publicKey, privateKey } = createKeys(modulusBits)
      const subject = { subject: nameOf(own), publicKey, names, ...(expiresAt !== undefined && { expiresAt }) }
      return {
        certificate: certificateOf(subject, signedBy),
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        keyEncryptedWith: (passphrase) =>
          privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase }).toString(),
      }
    },
  }
}

function createKeys(modulusLength?: number) {
  return modulusLength === undefined
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : generateKeyPairSync('rsa', { modulusLength })
}

interface Subject {
  readonly subject: Buffer
  readonly publicKey: KeyObject
  readonly names?: readonly string[]
  readonly expiresAt?: Date
  readonly isAuthority?: boolean
}

/** RFC 5280, in DER. */
function certificateOf(of: Subject, by: { readonly issuer: Buffer; readonly key: KeyObject }): string {
  const expiresAt = of.expiresAt ?? new Date(Date.now() + DAY_MS)
  const begin = new Date(Math.min(Date.now(), expiresAt.getTime()) - DAY_MS)
  const content = sequence(
    tagged(0xa0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    by.issuer,
    sequence(time(begin), time(expiresAt)),
    of.subject,
    of.publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions(of))),
  )
  const der = sequence(content, ECDSA_WITH_SHA256, bits(sign('sha256', content, by.key)))
  const lines = der.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd()
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

function extensions({ names = [], isAuthority = false }: Subject): Buffer[] {
  const constraints = sequence(objectId('551d13'), TRUE, octets(isAuthority ? sequence(TRUE) : sequence()))
  if (names.length === 0) return [constraints]
  const entries = names.map((name) =>
    isIPv4(name) ? tagged(0x87, Buffer.from(name.split('.').map(Number))) : tagged(0x82, Buffer.from(name)),
  )
  return [constraints, sequence(objectId('551d11'), octets(sequence(...entries)))]
}

function nameOf(commonName: string): Buffer {
  return sequence(tagged(0x31, sequence(objectId('550403'), tagged(0x0c, Buffer.from(commonName)))))
}

function tagged(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.of(tag, ...head), content])
}

const sequence = (...contents: readonly Buffer[]) => tagged(0x30, ...contents)
const integer = (bytes: Buffer) => tagged(0x02, bytes)
const octets = (bytes: Buffer) => tagged(0x04, bytes)
const bits = (bytes: Buffer) => tagged(0x03, Buffer.of(0), bytes)
const objectId = (hex: string) => tagged(0x06, Buffer.from(hex, 'hex'))
const time = (at: Date) => tagged(0x18, Buffer.from(`${at.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`))
const TRUE = tagged(0x01, Buffer.of(255))
const ECDSA_WITH_SHA256 = sequence(objectId('2a8648ce3d040302'))
