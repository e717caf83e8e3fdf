import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { KafkaTls } from '../security/kafka-security.ts'
import type { ConnectionAttributes } from './property-reader.ts'

const CERTIFICATE = 'ssl.certificate.location'
const KEY = 'ssl.key.location'
const KEY_PASSWORD = 'ssl.key.password'

export const TLS_ATTRIBUTES: readonly string[] = ['ssl.ca.location', CERTIFICATE, KEY, KEY_PASSWORD]

const CERTIFICATES = 'a readable file with certificates in PEM'

/** Every file is read and looked at once; whether a certificate has expired shows when it is used. */
export function readTls(attributes: ConnectionAttributes): KafkaTls {
  const ca = attributes.optional('ssl.ca.location', CERTIFICATES, certificateFile)
  return { ...(ca !== undefined && { ca }), ...readClientCertificate(attributes) }
}

function readClientCertificate(
  attributes: ConnectionAttributes,
): Pick<KafkaTls, 'certificate' | 'key' | 'keyPassword'> {
  const given = [CERTIFICATE, KEY, KEY_PASSWORD].find(attributes.isSet)
  if (given === undefined) return {}
  const why = `because ${attributes.nameOf(given)} is set`
  const certificate = attributes.required(CERTIFICATE, `${CERTIFICATES}, ${why}`, certificateFile)
  const key = attributes.required(KEY, `a readable file with a private key in PEM, ${why}`, keyFile)
  if (certificate === undefined || key === undefined) return {}
  const keyPassword = readKeyPassword(attributes, key)
  const opened = openKey(key, keyPassword)
  if (opened !== undefined && !new X509Certificate(readFileSync(certificate.file)).checkPrivateKey(opened)) {
    attributes.problem(KEY, `expected the key of the certificate in ${certificate.file}, which ${key.file} is not`)
  }
  return { certificate, key, ...(keyPassword !== undefined && { keyPassword }) }
}

function readKeyPassword(attributes: ConnectionAttributes, key: PemFile): string | undefined {
  const expected = `the password of the key in ${key.file}`
  const parse = (text: string) => {
    if (openKey(key, text) === undefined) throw new RangeError('not the password')
    return text
  }
  return openKey(key) === undefined
    ? attributes.required(KEY_PASSWORD, expected, parse)
    : attributes.optional(KEY_PASSWORD, expected, parse)
}

interface PemFile {
  readonly file: string
}

function certificateFile(file: string): PemFile {
  const certificates = readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  if (certificates === null) throw new RangeError('no certificates')
  for (const certificate of certificates) new X509Certificate(certificate)
  return { file }
}

function keyFile(file: string): PemFile {
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(readFileSync(file, 'utf8'))) throw new RangeError('no private key')
  return { file }
}

/** Undefined when it cannot be opened with this password, or without one. */
function openKey({ file }: PemFile, passphrase?: string): KeyObject | undefined {
  try {
    return createPrivateKey({ key: readFileSync(file), ...(passphrase !== undefined && { passphrase }) })
  } catch {
    return undefined
  }
}
