import { readDatabase } from '@taproom/database'
import { readJwt } from '@taproom/jwt'
import { readIncoming, readOutgoing, readTransform } from '@taproom/messaging'
import { readPolicies } from '@taproom/resilience'
import { type Env, kernelConfig, parseEnv } from '@taproom/service'

// begin jwt
/** The role that callers need. `pnpm token` makes tokens with Subscriber, or with the roles of `--groups`. */
export const ROLE = 'Subscriber'

// end
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
      incoming: readIncoming(read, {
        channel: 'template-app-in',
        groupId: 'template-app',
        // begin inbox
        from: 'earliest',
        // end
        mode: kernel.mode,
      }),
      // end
      // begin outgoing
      outgoing: readOutgoing(read, {
        channel: 'template-app-out',
        // begin outbox
        fixed: ['overflow', 'max-inflight-messages'],
        // end
        mode: kernel.mode,
      }),
      // end
      // begin transform
      transform: readTransform(read, {
        input: { channel: 'template-app-transform-in', groupId: 'template-app-transform' },
        output: { channel: 'template-app-transform-out' },
        mode: kernel.mode,
      }),
      // end
      // begin remote
      remote: {
        // Name the variables after the remote. Defaults are given here: timeoutMs, retry, circuitBreaker.
        url: read.url('TEMPLATE_APP_REMOTE_URL'),
        policies: readPolicies(read, { prefix: 'TEMPLATE_APP_REMOTE', method: 'TemplateAppRemote/fetch' }),
      },
      // end
    }
  })
}
