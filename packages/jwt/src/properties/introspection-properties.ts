import type { IntrospectionOptions } from '../verifier/ask-introspection.ts'
import type { PropertyReader } from './property-reader.ts'

const NEEDS_URL = ['client.id', 'client.secret', 'issuers', 'tokens', 'timeout.ms', 'cache.seconds']

/** Where and how to ask about tokens of the issuers; undefined without a URL, and then nothing else may be set. */
export function introspectionOptions(
  read: PropertyReader,
  accepted: { readonly issuers: readonly string[]; readonly isEncrypted: boolean },
): IntrospectionOptions | undefined {
  if (read.optionalString('jwt.introspection.url') === undefined) {
    for (const attribute of NEEDS_URL) refuseAlone(read, `jwt.introspection.${attribute}`, 'JWT_INTROSPECTION_URL')
    return undefined
  }
  const tokens = read.oneOf('jwt.introspection.tokens', ['opaque', 'all'], { default: 'opaque' })
  if (accepted.isEncrypted && tokens === 'opaque') {
    const problem = '"opaque" has no effect with MP_JWT_DECRYPT_KEY_LOCATION, which refuses opaque tokens: expected all'
    read.problem('jwt.introspection.tokens', problem)
  }
  return {
    url: read.custom('jwt.introspection.url', {
      expected: 'an absolute URL (https://… or http://…)',
      parse: webAddress,
    }),
    clientId: read.string('jwt.introspection.client.id'),
    clientSecret: read.string('jwt.introspection.client.secret', { secret: true }),
    issuers: spokenFor(read, accepted.issuers),
    tokens,
    timeoutMs: read.integer('jwt.introspection.timeout.ms', { default: 2000, min: 1, max: 60_000 }),
    cacheSeconds: read.integer('jwt.introspection.cache.seconds', { default: 10, min: 0, max: 3600 }),
  }
}

/** Those for which the endpoint speaks: the only one when none is named. */
function spokenFor(read: PropertyReader, all: readonly string[]): readonly string[] {
  const name = 'jwt.introspection.issuers'
  const named = read.list(name)
  const expected = `expected those of ${all.join(', ')} whose tokens the endpoint knows`
  const unknown = named.find((issuer) => !all.includes(issuer))
  if (unknown !== undefined) read.problem(name, `${JSON.stringify(unknown)} is no issuer of tokens: ${expected}`)
  else if (named.length === 0 && new Set(all).size > 1) read.problem(name, `is not set: ${expected}`)
  return named.length > 0 ? named : all
}

/** Reports a property that is set without the one that it `needs`. */
export function refuseAlone(read: PropertyReader, name: string, needs: string): void {
  const value = read.optionalString(name)
  if (value === undefined) return
  const shown = name.endsWith('.secret') ? 'the value' : JSON.stringify(value)
  read.problem(name, `${shown} has no effect alone: expected ${needs} with it`)
}

/** As it stands: a slash at its end may matter. */
function webAddress(text: string): string {
  if (!/^https?:$/.test(new URL(text).protocol)) throw new RangeError('not of the web')
  return text
}
