import { createDecipheriv, createPrivateKey, type KeyObject, pbkdf2Sync, X509Certificate } from 'node:crypto'
import { type Element, elementsOf, objectId } from './der.ts'

const DATA = '1.2.840.113549.1.7.1'
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6'
const KEY_BAG = '1.2.840.113549.1.12.10.1.1'
const SHROUDED_KEY_BAG = '1.2.840.113549.1.12.10.1.2'
const CERTIFICATE_BAG = '1.2.840.113549.1.12.10.1.3'
const PBES2 = '1.2.840.113549.1.5.13'
const INTEGER = 0x02

const CIPHERS: ReadonlyMap<string, { readonly name: string; readonly keyBytes: number }> = new Map([
  ['2.16.840.1.101.3.4.1.2', { name: 'aes-128-cbc', keyBytes: 16 }],
  ['2.16.840.1.101.3.4.1.22', { name: 'aes-192-cbc', keyBytes: 24 }],
  ['2.16.840.1.101.3.4.1.42', { name: 'aes-256-cbc', keyBytes: 32 }],
])
const HASHES: ReadonlyMap<string, string> = new Map([
  ['1.2.840.113549.2.7', 'sha1'],
  ['1.2.840.113549.2.8', 'sha224'],
  ['1.2.840.113549.2.9', 'sha256'],
  ['1.2.840.113549.2.10', 'sha384'],
  ['1.2.840.113549.2.11', 'sha512'],
])
const MAX_ITERATIONS = 10_000_000

/** Keys and certificates of a store, in PEM; keys as they are in it, encrypted or not. */
interface Found {
  readonly keys: string[]
  readonly certificates: string[]
}

/** The parts of a value that has some. @throws {Error} when there is none */
function partsOf(element: Element | undefined): readonly Element[] {
  if (!element) throw new Error('a part is missing')
  return elementsOf(element.content)
}

function idOf(element: Element | undefined): string {
  return objectId(element?.content ?? Buffer.alloc(0))
}

function numberOf(element: Element | undefined): number {
  return Number.parseInt(element?.content.toString('hex') ?? '', 16)
}

/** Decrypts with a key from a password (RFC 8018). @throws {Error} with another algorithm, or when the password is wrong */
function decrypt(algorithm: Element | undefined, encrypted: Buffer, password: string): Buffer {
  const [scheme, parameters] = partsOf(algorithm)
  if (idOf(scheme) !== PBES2)
    throw new Error('it is encrypted as by old versions of Java; write it again with a newer keytool')
  const [derivation, encryption] = partsOf(parameters)
  const [salt, iterations, ...rest] = partsOf(partsOf(derivation)[1])
  const hashed = rest.find(({ tag }) => tag !== INTEGER)
  const hash = hashed ? HASHES.get(idOf(partsOf(hashed)[0])) : 'sha1'
  const [cipherId, iv] = partsOf(encryption)
  const cipher = CIPHERS.get(idOf(cipherId))
  const count = numberOf(iterations)
  if (!salt || !iv || !hash || !cipher || !(count <= MAX_ITERATIONS))
    throw new Error('its encryption is not known here')
  const key = pbkdf2Sync(password, salt.content, count, cipher.keyBytes, hash)
  const decipher = createDecipheriv(cipher.name, key, iv.content)
  try {
    return Buffer.concat([decipher.update(encrypted), decipher.final()])
  } catch (cause) {
    throw new Error('the password is wrong', { cause })
  }
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`
}

function readBags(contents: Buffer, found: Found): void {
  for (const bag of partsOf(elementsOf(contents)[0])) {
    const [type, value] = elementsOf(bag.content)
    const [inner] = partsOf(value)
    if (idOf(type) === KEY_BAG && inner) found.keys.push(pem('PRIVATE KEY', inner.whole))
    if (idOf(type) === SHROUDED_KEY_BAG && inner) found.keys.push(pem('ENCRYPTED PRIVATE KEY', inner.whole))
    if (idOf(type) !== CERTIFICATE_BAG) continue
    const [certificate] = partsOf(partsOf(inner)[1])
    if (certificate) found.certificates.push(pem('CERTIFICATE', certificate.content))
  }
}

function readStore(store: Buffer, password: string): Found {
  const found: Found = { keys: [], certificates: [] }
  const [, authSafe] = partsOf(elementsOf(store)[0])
  const [safes] = partsOf(partsOf(authSafe)[1])
  for (const safe of partsOf(elementsOf(safes?.content ?? Buffer.alloc(0))[0])) {
    const [type, content] = elementsOf(safe.content)
    const [inner] = partsOf(content)
    if (idOf(type) === DATA && inner) readBags(inner.content, found)
    if (idOf(type) !== ENCRYPTED_DATA) continue
    const [, algorithm, encrypted] = partsOf(partsOf(inner)[1])
    readBags(decrypt(algorithm, encrypted?.content ?? Buffer.alloc(0), password), found)
  }
  return found
}

function isOf(key: KeyObject | undefined, certificate: string): boolean {
  return key !== undefined && new X509Certificate(certificate).checkPrivateKey(key)
}

/** True for a file that may be a PKCS12 store: it begins as DER does. */
export function isDer(file: Buffer): boolean {
  return file[0] === 0x30
}

/**
 * The private keys and certificates of a PKCS12 store in PEM, the certificate of the key first; keys stay encrypted with their password.
 * Stores that Java 8u301, 11.0.12 or OpenSSL 3 and later write are read; the store's own checksum is not.
 * @throws {Error} when it cannot be read, or the password is wrong
 */
export function pkcs12ToPem(store: Buffer, passwords: { readonly store: string; readonly key: string }): string {
  const { keys, certificates } = readStore(store, passwords.store)
  const [first] = keys
  const key = first === undefined ? undefined : createPrivateKey({ key: first, passphrase: passwords.key })
  const own = certificates.filter((each) => isOf(key, each))
  return [...keys, ...own, ...certificates.filter((each) => !own.includes(each))].join('')
}
