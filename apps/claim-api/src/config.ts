import { readJwt } from '@taproom/jwt'
import { type Env, kernelConfig, parseEnv } from '@taproom/service'

export type Config = ReturnType<typeof readConfig>

/** @throws {ConfigError} listing every missing or invalid variable */
export function readConfig(env: Env) {
  return parseEnv(env, (read) => {
    const kernel = kernelConfig(read)
    return { ...kernel, jwt: readJwt(read, { mode: kernel.mode, realm: 'taproom' }) }
  })
}
