import { readFileSync, statSync } from 'node:fs'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import type { ListenerProperties } from '../../properties/security-properties.ts'
import { CERTIFICATE, PRIVATE_KEY, pemBlocks } from './pem.ts'
import { isDer, pkcs12ToPem } from './pkcs12.ts'

/** How stores begin that only Java reads. */
const JKS = Buffer.from('feedfeed', 'hex')

type Secrets = Pick<SecureContextOptions, 'key' | 'cert' | 'ca' | 'passphrase'>

/** The broker's key and certificates, and the CAs of its clients. */
export interface KeyMaterial {
  readonly secrets: Secrets
  /** Reads the files again when they have changed since; undefined when they have not. Throws when they cannot be used. */
  renewed(): Secrets | undefined
}

/** A PEM text of a property, or the file that another property names: in PEM, or a store with passwords. */
interface Source {
  readonly name: string
  readonly text: string | undefined
  readonly file: string | undefined
  readonly passwords: Parameters<typeof pkcs12ToPem>[1]
}

function textOf({ name, text, file, passwords }: Source): string | undefined {
  if (file === undefined) return text
  const content = contentOf(name, file)
  if (content.subarray(0, 4).equals(JKS)) {
    throw new Error(`${name}: ${file} is in Java's old format JKS: convert it with keytool -importkeystore to PKCS12`)
  }
  if (!isDer(content)) return content.toString()
  try {
    return pkcs12ToPem(content, passwords)
  } catch (cause) {
    throw new Error(`${name}: the store ${file} cannot be read: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
}

function contentOf(name: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new Error(`${name}: ${file} cannot be read`, { cause })
  }
}

function stampOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(file)
    return `${mtimeMs} ${size} ${ino}`
  } catch {
    // Not there just now: it is being replaced.
    return 'missing'
  }
}

function load(keyStore: Source, key: Source, trust: Source, passphrase: string | undefined): Secrets {
  const certificates = pemBlocks(textOf(keyStore) ?? '', CERTIFICATE)
  const keys = pemBlocks(textOf(key) ?? '', PRIVATE_KEY)
  if (certificates.length === 0) {
    const isGiven = keyStore.text !== undefined || keyStore.file !== undefined
    throw new Error(
      `${keyStore.name} ${isGiven ? 'has no certificate' : 'must name a file with certificates'} in PEM or PKCS12`,
    )
  }
  if (keys.length !== 1)
    throw new Error(`${key.name} must have one private key in PEM or PKCS12; it has ${keys.length}`)
  const trusted = textOf(trust)
  const ca = trusted === undefined ? undefined : pemBlocks(trusted, CERTIFICATE)
  if (ca?.length === 0) throw new Error(`${trust.name} has no certificate in PEM or PKCS12`)
  const secrets = {
    cert: certificates.join(''),
    key: keys.join(''),
    ...(ca !== undefined && { ca: [...ca] }),
    ...(passphrase !== undefined && { passphrase }),
  }
  try {
    createSecureContext(secrets)
  } catch (cause) {
    throw new Error(`${key.name} and its certificate cannot be used: ${cause instanceof Error ? cause.message : ''}`, {
      cause,
    })
  }
  return secrets
}

/**
 * Reads the files and texts that the `ssl.keystore` and `ssl.truststore` properties name: in PEM as text or in files, or PKCS12 stores.
 * @throws {Error} when they name nothing that can be used
 */
export function keyMaterialOf({ find }: ListenerProperties): KeyMaterial {
  const at = (store: 'keystore' | 'truststore', textName: string): Source => {
    const [text, file] = [find(`ssl.${store}.${textName}`), find(`ssl.${store}.location`)]
    const name = text.value === undefined ? file.name : text.name
    const password = find(`ssl.${store}.password`).value ?? ''
    const passwords = { store: password, key: find('ssl.key.password').value ?? password }
    return { name, text: text.value, file: text.value === undefined ? file.value : undefined, passwords }
  }
  const sources = [
    at('keystore', 'certificate.chain'),
    at('keystore', 'key'),
    at('truststore', 'certificates'),
  ] as const
  const passphrase = find('ssl.key.password').value ?? find('ssl.keystore.password').value
  const stamp = () => sources.map(({ file }) => (file === undefined ? '' : stampOf(file))).join()
  let seen = stamp()
  return {
    secrets: load(...sources, passphrase),
    renewed() {
      const now = stamp()
      if (now === seen) return undefined
      seen = now
      return load(...sources, passphrase)
    },
  }
}
