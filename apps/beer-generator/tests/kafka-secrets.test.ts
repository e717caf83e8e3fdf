import { freePort, readHealth, startKafka, startProcess, type TestProcess, waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'

const main = new URL('../src/main.ts', import.meta.url)
const SECRET = 'distinctive-Pa55phrase'
const plain = {
  KAFKA_SECURITY_PROTOCOL: 'SASL_PLAINTEXT',
  KAFKA_SASL_MECHANISM: 'PLAIN',
  KAFKA_SASL_USERNAME: 'alice',
  KAFKA_SASL_PASSWORD: SECRET,
}
const token = (port: number) => ({
  KAFKA_SECURITY_PROTOCOL: 'SASL_PLAINTEXT',
  KAFKA_SASL_MECHANISM: 'OAUTHBEARER',
  KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL: `http://127.0.0.1:${port}/token`,
  KAFKA_SASL_OAUTHBEARER_CLIENT_ID: 'taproom',
  KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET: SECRET,
})

const start = (env: Readonly<Record<string, string>>) =>
  startProcess(main, { BEER_SERVICE_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'trace', ...env })

const outputOf = ({ lines, errors }: TestProcess) => JSON.stringify([lines, errors])

describe('decisions 3.29: the secrets of a connection to Kafka', () => {
  it.each<[string, (port: number) => Readonly<Record<string, string>>]>([
    ['a password', () => plain],
    ['the secret of a token endpoint', token],
  ])('%s is in no line, health answer or metric while all attempts to connect fail', async (_case, envOf) => {
    await using kafka = await startKafka()
    await using generator = start({ KAFKA_BOOTSTRAP_SERVERS: kafka.bootstrapServers, ...envOf(await freePort()) })
    const url = await generator.url()
    await waitFor('a second attempt', () => outputOf(generator).split('cannot connect').length > 2)
    const { checks, status } = await readHealth(url, 'ready')
    expect(status).toBe(503)
    expect(checks['Kafka outgoing channel beers']).toMatchObject({ status: 'DOWN' })
    const paths = ['/q/health', '/q/health/well', '/q/metrics']
    const pages = await Promise.all(paths.map(async (path) => await (await fetch(`${url}${path}`)).text()))
    expect(await generator.stop()).toBe(0)
    expect([outputOf(generator), JSON.stringify(checks), ...pages].join('\n')).not.toContain(SECRET)
  })

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['without TLS in production', { ...plain, NODE_ENV: 'production' }, 'KAFKA_SECURITY_PROTOCOL: expected SASL_SSL'],
    [
      'without a protocol for it',
      { KAFKA_SASL_PASSWORD: SECRET },
      'KAFKA_SASL_PASSWORD (value hidden): expected nothing',
    ],
    ['without a user', { ...plain, KAFKA_SASL_USERNAME: '' }, 'KAFKA_SASL_USERNAME is not set: expected a user'],
  ])('decisions 3.30: %s the start ends, and the variable is named', async (_case, env, expected) => {
    await using generator = start(env)
    expect(await generator.end()).toBe(1)
    expect(outputOf(generator)).toContain(expected)
    expect(outputOf(generator)).not.toContain(SECRET)
  })
})
