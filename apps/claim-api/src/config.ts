import type { AuthenticateOptions, JwtAlgorithm, JwtVerifierOptions } from '@taproom/jwt'
import { type Env, type EnvReader, type KernelConfig, kernelConfig, parseEnv } from '@taproom/service'
import { type TrustedProxies, trustedProxies } from './client-address.ts'

export type Config = ReturnType<typeof readConfig>

const ALGORITHMS: readonly JwtAlgorithm[] = ['RS256', 'ES256']

/** @throws {ConfigError} listing every missing or invalid variable */
export function readConfig(env: Env) {
  return parseEnv(env, (read) => {
    const kernel = kernelConfig(read)
    const jwt = { verifier: verifier(read), token: token(read) }
    refuseOpenKeys(read, kernel.mode, jwt.verifier.publicKeyLocation)
    /** `trustedProxies`: those whose `X-Forwarded-For` is believed. */
    return { ...kernel, jwt, trustedProxies: proxies(read) }
  })
}

/** On the way of an `http:` key an attacker can replace it by his own, and so sign any token. */
function refuseOpenKeys(read: EnvReader, mode: KernelConfig['mode'], location = ''): void {
  const isAllowed = read.boolean('JWT_ALLOW_HTTP_KEY_LOCATION', { default: false })
  const url = URL.parse(location)
  if (mode !== 'production' || isAllowed || url?.protocol !== 'http:') return
  const shown = `${url.origin}${url.pathname}`
  read.problem(
    'mp.jwt.verify.publickey.location',
    `${JSON.stringify(shown)} is not protected on its way: expected https: or a file in production, or JWT_ALLOW_HTTP_KEY_LOCATION=true`,
  )
}

function proxies(read: EnvReader): TrustedProxies {
  return read.custom('HTTP_TRUSTED_PROXIES', {
    expected: 'addresses and networks such as 10.0.0.0/8, comma separated; or none',
    parse: (text) => trustedProxies(text === 'none' ? [] : text.split(',').map((one) => one.trim())),
    default: '127.0.0.0/8,::1',
  })
}

/** Refuses to start with no key, two keys or no issuer: the service would be open, or shut, to all. */
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
