import { type KeyOptions, keyPlaceProblem } from '../keys/open-keys.ts'
import { type JwtVerifierOptions, propertyOf } from '../verifier/verifier-options.ts'
import type { PropertyReader } from './property-reader.ts'

export function keyPlace(read: PropertyReader, name: string | undefined): KeyOptions {
  const property = propertyOf(name)
  return {
    publicKey: read.optionalString(property('publickey')),
    publicKeyLocation: read.optionalString(property('publickey.location')),
    discovery: read.boolean(property('discovery'), { default: false }),
  }
}

export function keyProblems(read: PropertyReader, place: KeyOptions, name: string | undefined): void {
  const variable = (property: string) => property.replaceAll('.', '_').toUpperCase()
  const found = keyPlaceProblem(place, propertyOf(name), variable)
  if (found !== undefined) read.problem(found.property, found.problem)
}

/**
 * On the way of an `http:` key an attacker can replace it by his own, and so sign any token; this can be allowed. Introspection never is: he
 * could read the client's secret and the tokens of callers, too.
 */
export function refuseOpenPlaces(
  read: PropertyReader,
  mode: 'development' | 'production',
  verifier: JwtVerifierOptions,
): void {
  const isAllowed = read.boolean('JWT_ALLOW_HTTP_KEY_LOCATION', { default: false })
  if (mode !== 'production') return
  refuseOpen(read, 'jwt.introspection.url', verifier.introspection?.url, 'https: in production')
  if (isAllowed) return
  refuseOpen(read, 'mp.jwt.verify.publickey.location', verifier.publicKeyLocation)
  for (const entry of verifier.issuers) {
    const own = typeof entry === 'string' ? { issuer: entry, discovery: verifier.discovery } : entry
    const property = propertyOf('name' in own ? own.name : undefined)
    if (own.discovery === true) refuseOpen(read, property('issuer'), own.issuer)
    if ('name' in own) refuseOpen(read, property('publickey.location'), own.publicKeyLocation)
  }
}

const KEY_EXPECTED = 'https: or a file in production, or JWT_ALLOW_HTTP_KEY_LOCATION=true'

function refuseOpen(read: PropertyReader, property: string, location = '', expected = KEY_EXPECTED): void {
  const url = URL.parse(location)
  if (url?.protocol !== 'http:') return
  const shown = `${url.origin}${url.pathname}`
  read.problem(property, `${JSON.stringify(shown)} is not protected on its way: expected ${expected}`)
}
