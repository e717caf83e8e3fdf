import { JwtConfigError, KeyFetchError } from '../errors.ts'
import { fetchKeyText } from './fetch-key-text.ts'
import { jsonIn } from './key-text.ts'
import type { RefreshedKeysOptions } from './refreshed-keys.ts'

/** How long an issuer's metadata stays in force, in milliseconds. */
const METADATA_MS = 60 * 60_000

/**
 * Finds an issuer's key set (OpenID Connect Discovery 1.0, sections 4.1 to 4.3): `/.well-known/openid-configuration` below the issuer,
 * whose `issuer` must be this one, character by character, and whose `jwks_uri` is the key set. That is https, or http where the issuer
 * itself is. The metadata is read once an hour, and again when the key set could not be read; each of the two within the limits of {@link
 * fetchKeyText}.
 *
 * @throws {JwtConfigError} when the issuer is no http(s) URL, or one with credentials, query or fragment
 */
export function discoverKeys(
  issuer: string,
  property: string,
  request: typeof fetch,
  clock: () => number,
): Pick<RefreshedKeysOptions, 'location' | 'read'> {
  const url = metadataUrl(issuer, property)
  let found: { readonly keySet: URL; readonly until: number } | undefined
  return {
    location: `${url.origin}${url.pathname}`,
    async read(stop) {
      if (found === undefined || clock() >= found.until) {
        const { text } = await fetchKeyText(url, request, stop)
        found = { keySet: keySetUrl(text, issuer, url), until: clock() + METADATA_MS }
      }
      try {
        return await fetchKeyText(found.keySet, request, stop)
      } catch (error) {
        found = undefined
        throw error
      }
    },
  }
}

function metadataUrl(issuer: string, property: string): URL {
  const url = URL.parse(issuer)
  const isPlain = url !== null && url.username === '' && url.password === '' && !/[?#]/.test(issuer)
  if (!isPlain || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new JwtConfigError(property, 'must be an https: or http: URL without query, to discover its keys')
  }
  return new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
}

/** Metadata of another issuer is not believed: whoever can answer for one issuer must not be able to name keys for another. */
function keySetUrl(text: string, issuer: string, metadata: URL): URL {
  const location = `${metadata.origin}${metadata.pathname}`
  const document = jsonIn(text)
  if (document === undefined) throw new KeyFetchError(`${location}: the answer is not a JSON object`)
  if (document['issuer'] !== issuer) throw new KeyFetchError(`${location}: "issuer" is not the issuer that was asked`)
  const said = document['jwks_uri']
  const url = typeof said === 'string' ? URL.parse(said) : null
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && metadata.protocol === 'http:')
  if (url === null || !isAllowed || url.username !== '' || url.password !== '') {
    throw new KeyFetchError(`${location}: "jwks_uri" is not an https: URL without credentials`)
  }
  return url
}
