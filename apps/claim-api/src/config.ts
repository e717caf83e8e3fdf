import type { AuthenticateOptions, JwtAlgorithm, JwtVerifierOptions } from '@taproom/jwt'
import { type Env, type EnvReader, type KernelConfig, kernelConfig, parseEnv } from '@taproom/service'

/** What claim-api reads from its environment. */
export interface Config extends KernelConfig {
  readonly jwt: {
    readonly verifier: JwtVerifierOptions
    readonly token: AuthenticateOptions
  }
}

const ALGORITHMS: readonly JwtAlgorithm[] = ['RS256', 'ES256']

/** @throws ConfigError naming every variable that is missing or invalid */
export function readConfig(env: Env): Config {
  return parseEnv(env, (read) => ({ ...kernelConfig(read), jwt: { verifier: verifier(read), token: token(read) } }))
}

/** No key, two keys or no issuer would leave the service open or shut for everybody: it does not start. */
function verifier(read: EnvReader): JwtVerifierOptions {
  const publicKey = read.optionalString('mp.jwt.verify.publickey')
  const publicKeyLocation = read.optionalString('mp.jwt.verify.publickey.location')
  const issuers = read.list('mp.jwt.verify.issuer')
  if (publicKey === undefined && publicKeyLocation === undefined) {
    read.problem('mp.jwt.verify.publickey.location', 'is not set: expected the path or URL of a public key')
  }
  if (publicKey !== undefined && publicKeyLocation !== undefined) {
    read.problem('mp.jwt.verify.publickey', 'set either this or MP_JWT_VERIFY_PUBLICKEY_LOCATION, not both')
  }
  if (issuers.length === 0)
    read.problem('mp.jwt.verify.issuer', 'is not set: expected the issuer of the tokens to accept')

  const maxTokenAgeSeconds = optionalSeconds(read, 'mp.jwt.verify.token.age')
  return {
    ...(publicKey !== undefined && { publicKey }),
    ...(publicKeyLocation !== undefined && { publicKeyLocation }),
    algorithm: read.oneOf('mp.jwt.verify.publickey.algorithm', ALGORITHMS, { default: 'RS256' }),
    issuers,
    audiences: read.list('mp.jwt.verify.audiences'),
    clockSkewSeconds: read.integer('mp.jwt.verify.clock.skew', { default: 0, min: 0, max: 3600 }),
    ...(maxTokenAgeSeconds !== undefined && { maxTokenAgeSeconds }),
  }
}

function token(read: EnvReader): AuthenticateOptions {
  return {
    header: read.oneOf('mp.jwt.token.header', ['Authorization', 'Cookie'], { default: 'Authorization' }),
    cookie: read.string('mp.jwt.token.cookie', { default: 'Bearer' }),
    realm: 'taproom',
  }
}

function optionalSeconds(read: EnvReader, property: string): number | undefined {
  if (read.optionalString(property) === undefined) return undefined
  return read.integer(property, { default: 1, min: 1 })
}
