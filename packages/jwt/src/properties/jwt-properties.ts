import type { AuthenticateOptions } from '../express/authenticate.ts'
import { ALGORITHMS, type JwtAlgorithm } from '../keys/algorithms.ts'
import { DECRYPTION_ALGORITHMS } from '../keys/decryption-keys.ts'
import { isScope } from '../token/claims.ts'
import { parseRolePath, ROLE_PATHS_EXPECTED, splitRolePaths } from '../token/role-paths.ts'
import { type IssuerOptions, type JwtVerifierOptions, propertyOf } from '../verifier/verifier-options.ts'
import { introspectionOptions, refuseAlone } from './introspection-properties.ts'
import { keyPlace, keyProblems, refuseOpenPlaces } from './key-places.ts'
import type { PropertyReader } from './property-reader.ts'

/** Options of {@link readJwt}. */
export interface JwtDefaults {
  /** In production keys and introspection over `http:` are refused. */
  readonly mode: 'development' | 'production'
  /** Of the challenges. Default `api`. */
  readonly realm?: string
}

/** What {@link readJwt} reads. */
export interface JwtProperties {
  readonly verifier: JwtVerifierOptions
  readonly token: AuthenticateOptions
  /** All of them are needed beside the role; none by default. */
  readonly scopes: readonly string[]
}

/** MicroProfile's own names below `mp.jwt.verify`, which no issuer can have. */
const TAKEN = ['publickey', 'issuer', 'audiences', 'clock', 'token', 'discovery']

/**
 * Reads the properties of MicroProfile JWT (`mp.jwt.verify.publickey.location`, `mp.jwt.verify.issuer`, …), and those of this package that go
 * beyond it (`jwt.…`). Reports what is wrong, a missing key or issuer and an unknown property below `mp.jwt.` included.
 */
export function readJwt(read: PropertyReader, { mode, realm = 'api' }: JwtDefaults): JwtProperties {
  const properties = { verifier: verifier(read, mode), token: token(read, realm), scopes: scopes(read) }
  refuseOpenPlaces(read, mode, properties.verifier)
  // An audience or an issuer that is not read is one that is not checked.
  read.refuseOthers('mp.jwt.')
  return properties
}

function verifier(read: PropertyReader, mode: JwtDefaults['mode']): JwtVerifierOptions {
  const named = issuerNames(read).map((name) => namedIssuer(read, name))
  const issuers = read.list('mp.jwt.verify.issuer')
  const keys = keyPlace(read, undefined)
  // Refuses to start with no key, two keys or no issuer: the service would be open, or shut, to all.
  if (named.length === 0 || issuers.length > 0) keyProblems(read, keys, undefined)
  const isKeySet = keys.publicKey !== undefined || keys.publicKeyLocation !== undefined || keys.discovery === true
  if (issuers.length === 0 && (named.length === 0 || isKeySet))
    read.problem('mp.jwt.verify.issuer', 'is not set: expected the issuer of the tokens to accept')

  const maxTokenAgeSeconds = optionalSeconds(read, 'mp.jwt.verify.token.age')
  const types = read.list('jwt.token.types')
  const groupsPaths = rolePaths(read)
  const opening = decryption(read)
  const introspection = introspectionOptions(read, {
    issuers: [...issuers, ...named.map(({ issuer }) => issuer)],
    isEncrypted: opening.decryptKeyLocation !== undefined,
  })
  return {
    ...keys,
    algorithm: algorithms(read, 'mp.jwt.verify.publickey.algorithm'),
    issuers: [...issuers, ...named],
    audiences: read.list('mp.jwt.verify.audiences'),
    clockSkewSeconds: read.integer('mp.jwt.verify.clock.skew', { default: 0, min: 0, max: 3600 }),
    ...(maxTokenAgeSeconds !== undefined && { maxTokenAgeSeconds }),
    ...(groupsPaths !== undefined && { groupsPaths }),
    ...(types.length > 0 && { tokenTypes: types.map((type) => (type === 'none' ? '' : type)) }),
    tokenProfile: read.oneOf('jwt.token.profile', ['microprofile', 'rfc9068'], { default: 'microprofile' }),
    ...(introspection !== undefined && { introspection }),
    ...opening,
    isProduction: mode === 'production',
  }
}

/** `jwt.issuer.names` lists issuers with keys of their own; each has the properties of the default one, below its name. */
function issuerNames(read: PropertyReader): readonly string[] {
  const names = read.list('jwt.issuer.names')
  const isSound = (name: string) => /^[a-z][a-z0-9]*$/.test(name) && !TAKEN.includes(name)
  if (names.every(isSound) && new Set(names).size === names.length) return names
  read.problem(
    'jwt.issuer.names',
    `expected different names of lower case letters and digits, none of ${TAKEN.join(', ')}`,
  )
  return []
}

function namedIssuer(read: PropertyReader, name: string): IssuerOptions {
  const property = propertyOf(name)
  const algorithm = property('publickey.algorithm')
  const audiences = read.list(property('audiences'))
  const keys = keyPlace(read, name)
  keyProblems(read, keys, name)
  return {
    name,
    ...keys,
    issuer: read.string(property('issuer')),
    ...(read.optionalString(algorithm) !== undefined && { algorithm: algorithms(read, algorithm) }),
    ...(audiences.length > 0 && { audiences }),
  }
}

function algorithms(read: PropertyReader, property: string): readonly JwtAlgorithm[] {
  return read.custom(property, {
    expected: `one or several of ${ALGORITHMS.join(', ')}, comma separated`,
    parse: (text) => text.split(',').map((one) => known(one.trim())),
    default: 'RS256',
  })
}

function known(text: string): JwtAlgorithm {
  const algorithm = ALGORITHMS.find((one) => one === text)
  if (algorithm === undefined) throw new RangeError('not an algorithm')
  return algorithm
}

function rolePaths(read: PropertyReader): readonly string[] | undefined {
  const property = 'smallrye.jwt.path.groups'
  if (read.optionalString(property) === undefined) return undefined
  return read.custom(property, {
    expected: ROLE_PATHS_EXPECTED,
    parse(text) {
      const paths = splitRolePaths(text)
      if (!paths.every(parseRolePath)) throw new RangeError('a path is malformed')
      return paths
    },
  })
}

function decryption(read: PropertyReader): Pick<JwtVerifierOptions, 'decryptKeyLocation' | 'decryptKeyAlgorithm'> {
  const decryptKeyLocation = read.optionalString('mp.jwt.decrypt.key.location')
  const name = 'mp.jwt.decrypt.key.algorithm'
  if (decryptKeyLocation === undefined) refuseAlone(read, name, 'MP_JWT_DECRYPT_KEY_LOCATION')
  if (read.optionalString(name) === undefined) return { decryptKeyLocation }
  return { decryptKeyLocation, decryptKeyAlgorithm: read.oneOf(name, DECRYPTION_ALGORITHMS, { default: 'RSA-OAEP' }) }
}

function token(read: PropertyReader, realm: string): AuthenticateOptions {
  return {
    header: read.oneOf('mp.jwt.token.header', ['Authorization', 'Cookie'], { default: 'Authorization' }),
    cookie: read.string('mp.jwt.token.cookie', { default: 'Bearer' }),
    realm,
  }
}

function scopes(read: PropertyReader): readonly string[] {
  const needed = read.list('jwt.required.scopes')
  if (!needed.every(isScope)) read.problem('jwt.required.scopes', 'expected scopes of visible ASCII, comma separated')
  return needed
}

function optionalSeconds(read: PropertyReader, property: string): number | undefined {
  if (read.optionalString(property) === undefined) return undefined
  return read.integer(property, { default: 1, min: 1 })
}
