import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { reasonOf } from '@taproom/core/lines'
import { ConfigError, shownValue } from '../env/config-error.ts'
import type { Logger } from '../logger.ts'

/** The certificate and key of a server that speaks TLS. */
export interface TlsOptions {
  /** File with the certificate and those between it and the root, in PEM. */
  readonly certificateLocation: string
  /** File with the certificate's private key, in PEM. */
  readonly keyLocation: string
  /** Of an encrypted key. */
  readonly passphrase: string | undefined
  /** How often the files are looked at, in milliseconds. */
  readonly reloadMs: number
}

/** A pair that belongs together and is valid now. */
export interface TlsPair {
  readonly cert: Buffer
  readonly key: Buffer
  readonly passphrase?: string
}

const CERTIFICATE = 'HTTP_SSL_CERTIFICATE_LOCATION'
const KEY = 'HTTP_SSL_KEY_LOCATION'
const MAX_BYTES = 1_048_576
const BEGIN = '-----BEGIN CERTIFICATE-----'
const END = '-----END CERTIFICATE-----'

/**
 * Reads certificate and key.
 *
 * @throws {ConfigError} when one cannot be read, they do not belong together, or the certificate is not valid now
 */
export async function readTlsPair({ certificateLocation, keyLocation, passphrase }: TlsOptions): Promise<TlsPair> {
  const certificate = { variable: CERTIFICATE, path: certificateLocation }
  const privateKey = { variable: KEY, path: keyLocation }
  const [cert, key] = await Promise.all([readBounded(certificate), readBounded(privateKey)])
  const parsed = await attempt(
    certificate,
    () => 'expected certificates in PEM',
    () => new X509Certificate(cert),
  )
  const expected = 'expected a private key in PEM; an encrypted one needs HTTP_SSL_KEY_PASSPHRASE'
  const protection = passphrase !== undefined && { passphrase }
  const ofKey = await attempt(
    privateKey,
    () => expected,
    () => createPrivateKey({ key, format: 'pem', ...protection }),
  )
  const now = Date.now()
  if (parsed.validToDate.getTime() <= now) throw problem(certificate, `expired at ${parsed.validToDate.toISOString()}`)
  if (parsed.validFromDate.getTime() > now) {
    throw problem(certificate, `is not valid before ${parsed.validFromDate.toISOString()}`)
  }
  if (!parsed.checkPrivateKey(ofKey)) throw problem(privateKey, `is not the key of ${CERTIFICATE}`)
  // Until here only the first certificate was looked at, and not whether OpenSSL takes its kind and length of key.
  const text = cert.toString('latin1')
  if (text.split(BEGIN).length !== text.split(END).length) throw problem(certificate, 'ends within a certificate')
  const pair = { cert, key, ...protection }
  const unusable = (error: unknown) => `cannot be used with its key (${reasonOf(error).replace(/^error:/, '')})`
  await attempt(certificate, unusable, () => createSecureContext(pair))
  return pair
}

/**
 * Looks at the files again and again; gives `onChange` a new pair. One that is broken is logged once and the old one stays, as files are
 * seldom replaced both at the same moment.
 */
export function watchTlsPair(
  options: TlsOptions,
  { first, log, onChange }: { first: TlsPair; log: Logger | undefined; onChange: (pair: TlsPair) => void },
): Disposable {
  let current = first
  let told = ''
  let isReading = false

  async function look(): Promise<void> {
    try {
      const pair = await readTlsPair(options)
      told = ''
      if (pair.cert.equals(current.cert) && pair.key.equals(current.key)) return
      onChange(pair)
      current = pair
      log?.info({ validTo: new X509Certificate(pair.cert).validToDate.toISOString() }, 'certificate replaced')
    } catch (error) {
      const reason = reasonOf(error)
      if (reason !== told) log?.error({ reason }, 'new certificate not used, the old one stays')
      told = reason
    }
  }

  const timer = setInterval(async () => {
    if (isReading) return
    isReading = true
    await look()
    isReading = false
  }, options.reloadMs)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

interface Source {
  readonly variable: string
  readonly path: string
}

/** Looks before it opens: a pipe would keep the start waiting for whoever writes to it. */
async function readBounded(source: Source): Promise<Buffer> {
  const unreadable = (error: unknown) =>
    `cannot be read${error instanceof Error && 'code' in error ? ` (${error.code})` : ''}`
  const info = await attempt(source, unreadable, () => stat(source.path))
  if (!info.isFile()) throw problem(source, 'is not a file')
  if (info.size > MAX_BYTES) throw problem(source, `is larger than ${MAX_BYTES} bytes`)
  return await attempt(source, unreadable, () => readFile(source.path))
}

async function attempt<T>(source: Source, what: (error: unknown) => string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw problem(source, what(error))
  }
}

function problem({ variable, path }: Source, what: string): ConfigError {
  return new ConfigError([`${variable}=${shownValue(path)}: ${what}`])
}
