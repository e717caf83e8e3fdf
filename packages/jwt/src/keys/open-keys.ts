import { JwtConfigError } from '../errors.ts'
import type { JwtAlgorithm } from './algorithms.ts'
import { discoverKeys } from './discovery.ts'
import { fetchKeyText } from './fetch-key-text.ts'
import { readKeyFile, schemeOf } from './key-file.ts'
import { fixedKeys, type KeySource, usableKeys } from './key-set.ts'
import { type JwtLogger, refreshedKeys } from './refreshed-keys.ts'

/** Where the keys of an issuer are: exactly one of the three. */
export interface KeyOptions {
  /** `mp.jwt.verify.publickey`: a public key as PEM, X.509 certificate in PEM, Base64, JWK or JWKS. */
  readonly publicKey?: string | undefined
  /** `mp.jwt.verify.publickey.location`: a path, or a `file:`, `http:` or `https:` URL. */
  readonly publicKeyLocation?: string | undefined
  /** Finds the keys at the issuer, which must be a URL (OpenID Connect Discovery). Default: false. */
  readonly discovery?: boolean | undefined
}

export interface KeySettings {
  readonly algorithms: readonly JwtAlgorithm[]
  /** The full name of a property, for errors: `publickey` becomes `mp.jwt.verify.publickey`. */
  readonly property: (name: string) => string
  readonly clock: () => number
  readonly fetch: typeof fetch
  readonly log: JwtLogger | undefined
}

/** The property that is wrong, and why, unless exactly one place of keys is named. `shown` is how the reason names another property. */
export function keyPlaceProblem(
  options: KeyOptions,
  property: (name: string) => string,
  shown: (property: string) => string = (name) => name,
) {
  const { publicKey, publicKeyLocation, discovery = false } = options
  const location = property('publickey.location')
  const named = [publicKey !== undefined, publicKeyLocation !== undefined, discovery].filter(Boolean).length
  if (named === 0) return { property: location, problem: 'is not set: expected the path or URL of a public key' }
  if (named === 1) return undefined
  if (discovery) return { property: property('discovery'), problem: 'set either this or a key, not both' }
  return { property: property('publickey'), problem: `set either this or ${shown(location)}, not both` }
}

/**
 * Opens the place of keys. A file is read before this resolves, and again every 30 s; what is remote is read in the background.
 *
 * @throws {JwtConfigError} when it is unreadable or has no usable key, or its URL is none that keys are read from
 */
export async function openKeys(
  { issuer, publicKey, publicKeyLocation = '', discovery = false }: KeyOptions & { readonly issuer: string },
  { algorithms, property, clock, fetch: request, log }: KeySettings,
): Promise<KeySource> {
  if (publicKey !== undefined) return fixedKeys(usableKeys(property('publickey'), publicKey, algorithms))
  const refreshed = { algorithms, clock, log }
  if (discovery) {
    return refreshedKeys({ ...refreshed, ...discoverKeys(issuer, property('issuer'), request, clock) })
  }
  const location = property('publickey.location')
  const scheme = schemeOf(publicKeyLocation)
  if (scheme === 'file') {
    const read = () => readKeyFile(location, publicKeyLocation)
    const first = usableKeys(location, await read(), algorithms)
    const readAgain = async () => ({ text: await read(), maxAgeMs: 0 })
    return refreshedKeys({ ...refreshed, location: 'file', first, read: readAgain })
  }
  if ((scheme !== 'http' && scheme !== 'https') || !URL.canParse(publicKeyLocation)) {
    throw new JwtConfigError(location, 'must be a path, or a file:, http: or https: URL')
  }
  const url = new URL(publicKeyLocation)
  if (url.username !== '' || url.password !== '') throw new JwtConfigError(location, 'must not contain credentials')
  return refreshedKeys({
    ...refreshed,
    location: `${url.origin}${url.pathname}`,
    read: (stop) => fetchKeyText(url, request, stop),
  })
}
