import { type Env, type EnvReader, kernelConfig, parseEnv } from '@taproom/service'
import { type TrustedProxies, trustedProxies } from './client-address.ts'
import { jwtConfig } from './jwt-config.ts'

export type Config = ReturnType<typeof readConfig>

/** @throws {ConfigError} listing every missing or invalid variable */
export function readConfig(env: Env) {
  return parseEnv(env, (read) => {
    const kernel = kernelConfig(read)
    /** `trustedProxies`: those whose `X-Forwarded-For` is believed. */
    return { ...kernel, jwt: jwtConfig(read, kernel.mode), trustedProxies: proxies(read) }
  })
}

function proxies(read: EnvReader): TrustedProxies {
  return read.custom('HTTP_TRUSTED_PROXIES', {
    expected: 'addresses and networks such as 10.0.0.0/8, comma separated; or none',
    parse: (text) => trustedProxies(text === 'none' ? [] : text.split(',').map((one) => one.trim())),
    default: '127.0.0.0/8,::1',
  })
}
