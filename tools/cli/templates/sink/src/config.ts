import { readDatabase } from '@taproom/database'
import { readOutgoing } from '@taproom/messaging'
import { type Env, kernelConfig, parseEnv } from '@taproom/service'

export type Config = ReturnType<typeof readConfig>

/** @throws {ConfigError} listing every invalid variable */
export function readConfig(env: Env) {
  return parseEnv(env, (read) => {
    const kernel = kernelConfig(read)
    return {
      ...kernel,
      // begin database
      ...readDatabase(read, { file: '.taproom/template-app-sink.sqlite' }),
      // end
      // begin outgoing
      outgoing: readOutgoing(read, { channel: 'template-app-out', mode: kernel.mode }),
      // end
    }
  })
}
