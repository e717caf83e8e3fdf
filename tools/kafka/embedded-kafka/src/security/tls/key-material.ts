import { readFileSync, statSync } from 'node:fs'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import type { ListenerProperties } from '../../properties/security-properties.ts'
import { CERTIFICATE, PRIVATE_KEY, pemBlocks } from './pem.ts'

type Secrets = Pick<SecureContextOptions, 'key' | 'cert' | 'ca' | 'passphrase'>

/** The broker's key and certificates, and the CAs of its clients. */
export interface KeyMaterial {
  readonly secrets: Secrets
  /** Reads the files again when they have changed since; undefined when they have not. Throws when they cannot be used. */
  renewed(): Secrets | undefined
}

/** A PEM text of a property, or the file that another property names. */
interface Source {
  readonly name: string
  readonly text: string | undefined
  readonly file: string | undefined
}

function textOf({ name, text, file }: Source): string | undefined {
  if (file === undefined) return text
  try {
    return readFileSync(file, 'utf8')
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
    throw new Error(`${keyStore.name} ${isGiven ? 'has no certificate' : 'must name a file with certificates'} in PEM`)
  }
  if (keys.length !== 1) throw new Error(`${key.name} must have one private key in PEM; it has ${keys.length}`)
  const trusted = textOf(trust)
  const ca = trusted === undefined ? undefined : pemBlocks(trusted, CERTIFICATE)
  if (ca?.length === 0) throw new Error(`${trust.name} has no certificate in PEM`)
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
 * What the `ssl.keystore` and `ssl.truststore` properties name, in PEM as text or in files.
 * @throws {Error} when they name nothing that can be used
 */
export function keyMaterialOf({ find }: ListenerProperties): KeyMaterial {
  const at = (textName: string, fileName: string): Source => {
    const [text, file] = [find(textName), find(fileName)]
    const name = text.value === undefined ? file.name : text.name
    return { name, text: text.value, file: text.value === undefined ? file.value : undefined }
  }
  const sources = [
    at('ssl.keystore.certificate.chain', 'ssl.keystore.location'),
    at('ssl.keystore.key', 'ssl.keystore.location'),
    at('ssl.truststore.certificates', 'ssl.truststore.location'),
  ] as const
  const passphrase = find('ssl.key.password').value
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
