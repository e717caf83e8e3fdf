import { readDatabase } from '@taproom/database'
import { readJwt } from '@taproom/jwt'
import { readIncoming, readOutgoing, readTransform } from '@taproom/messaging'
import { readPolicies } from '@taproom/resilience'
import { type Env, kernelConfig, parseEnv } from '@taproom/service'

export type Config = ReturnType<typeof readConfig>

/** @throws {ConfigError} listing every invalid variable */
export function readConfig(env: Env) {
  return parseEnv(env, (read) => {
    const kernel = kernelConfig(read)
    return {
      ...kernel,
      // begin jwt
      jwt: readJwt(read, { mode: kernel.mode }),
      // end
      // begin database
      ...readDatabase(read, { file: '.taproom/template-app.sqlite' }),
      // end
      // begin incoming
      received: readIncoming(read, { channel: 'template-app-in', groupId: 'template-app', mode: kernel.mode }),
      // end
      // begin outgoing
      ticks: readOutgoing(read, {
        channel: 'template-app-ticks',
        overflow: 'drop',
        fixed: ['overflow'],
        mode: kernel.mode,
      }),
      intervalMs: read.integer('TEMPLATE_APP_INTERVAL_MS', { default: 1000, min: 1, max: 86_400_000 }),
      // end
      // begin transform
      capitals: readTransform(read, {
        input: { channel: 'template-app-words', groupId: 'template-app-capitals' },
        output: { channel: 'template-app-capitals' },
        mode: kernel.mode,
      }),
      // end
      // begin remote
      remote: {
        url: read.url('TEMPLATE_APP_REMOTE_URL'),
        policies: readPolicies(read, { prefix: 'TEMPLATE_APP_REMOTE', method: 'TemplateAppRemote/fetch' }),
      },
      // end
      // begin health
      /** Readiness is DOWN with less free space than this for temporary files. */
      diskSpaceBytes: read.integer('DISK_SPACE_THRESHOLD_BYTES', { default: 10_485_760, min: 0 }),
      // end
    }
  })
}
