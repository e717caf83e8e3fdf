import { ConfigError, type Env } from '@taproom/service'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

// begin jwt|remote
/** The variables without a default. */
const REQUIRED: Env = {
  // begin jwt
  MP_JWT_VERIFY_PUBLICKEY_LOCATION: 'key.pem',
  MP_JWT_VERIFY_ISSUER: 'https://issuer.example',
  // end
  // begin remote
  TEMPLATE_APP_REMOTE_URL: 'https://remote.example',
  // end
}

// end
describe('readConfig', () => {
  it('has its defaults', () => {
    expect(readConfig({ /* begin jwt|remote */ ...REQUIRED /* end */ })).toMatchObject({
      http: { port: 8080 },
      // begin database
      database: { kind: 'sqlite', file: '.taproom/template-app.sqlite' },
      // end
      // begin incoming
      incoming: { topic: 'template-app-in', groupId: 'template-app' },
      // end
      // begin outgoing
      outgoing: { topic: 'template-app-out' },
      // end
      // begin transform
      transform: {
        input: { topic: 'template-app-transform-in' },
        output: { topic: 'template-app-transform-out' },
      },
      // end
      // begin remote
      remote: { url: 'https://remote.example', policies: { timeout: { timeoutMs: 1000 }, fallback: true } },
      // end
    })
  })

  it.each<[string, Env]>([
    ['PORT', { PORT: 'http' }],
    // begin jwt
    ['MP_JWT_VERIFY_ISSUER', { MP_JWT_VERIFY_ISSUER: '' }],
    // end
    // begin database
    ['DATABASE_URL', { DATABASE_URL: 'mysql://database' }],
    // end
    // begin incoming|outgoing|transform
    ['KAFKA_BOOTSTRAP_SERVERS', { KAFKA_BOOTSTRAP_SERVERS: 'kafka' }],
    // end
    // begin remote
    ['TEMPLATE_APP_REMOTE_URL', { TEMPLATE_APP_REMOTE_URL: 'remote' }],
    ['TEMPLATE_APP_REMOTE_TIMEOUT_MS', { TEMPLATE_APP_REMOTE_TIMEOUT_MS: '1s' }],
    // end
  ])('refuses a wrong %s by its name', (name, env) => {
    expect(() => readConfig({ /* begin jwt|remote */ ...REQUIRED, /* end */ ...env })).toThrow(ConfigError)
    expect(() => readConfig({ /* begin jwt|remote */ ...REQUIRED, /* end */ ...env })).toThrow(name)
  })
})
