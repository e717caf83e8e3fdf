import { type Env, kernelConfig, parseEnv } from '@taproom/service'
import { jwtConfig } from './jwt-config.ts'

export type Config = ReturnType<typeof readConfig>

/** @throws {ConfigError} listing every missing or invalid variable */
export function readConfig(env: Env) {
  return parseEnv(env, (read) => {
    const kernel = kernelConfig(read)
    return { ...kernel, jwt: jwtConfig(read, kernel.mode) }
  })
}
