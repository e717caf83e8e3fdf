import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'
import { plain, SECRET } from './secret-connections.ts'

describe('decisions 3.29: the secrets of a connection to Kafka', () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['without TLS in production', { ...plain, NODE_ENV: 'production' }, 'KAFKA_SECURITY_PROTOCOL: expected SASL_SSL'],
    [
      'without a protocol for it',
      { KAFKA_SASL_PASSWORD: SECRET },
      'KAFKA_SASL_PASSWORD (value hidden): expected nothing',
    ],
    ['without a user', { ...plain, KAFKA_SASL_USERNAME: '' }, 'KAFKA_SASL_USERNAME is not set: expected a user'],
  ])('decisions 3.30: %s the start ends, and the variable is named', (_case, env, expected) => {
    let problems = ''
    try {
      readConfig({ BEER_SERVICE_URL: 'http://127.0.0.1:9', ...env })
    } catch (error) {
      problems = inspect(error)
    }
    expect(problems).toContain(expected)
    expect(problems).not.toContain(SECRET)
  })
})
