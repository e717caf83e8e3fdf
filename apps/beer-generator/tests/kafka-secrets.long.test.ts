import { freePort, startKafka, startProcess } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { outputOf, pagesWhileConnectingFails, plain, SECRET, token } from './secret-connections.ts'

const main = new URL('../src/main.ts', import.meta.url)
const start = (env: Readonly<Record<string, string>>) =>
  startProcess(main, { BEER_SERVICE_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'trace', ...env })

describe('decisions 3.29: the secrets of a connection to Kafka', () => {
  it.each<[string, (port: number) => Readonly<Record<string, string>>]>([
    ['a password', () => plain],
    ['the secret of a token endpoint', token],
  ])('%s is in no line, health answer or metric while all attempts to connect fail', async (_case, envOf) => {
    await using kafka = await startKafka()
    await using generator = start({ KAFKA_BOOTSTRAP_SERVERS: kafka.bootstrapServers, ...envOf(await freePort()) })
    const pages = await pagesWhileConnectingFails(generator)
    expect(await generator.stop()).toBe(0)
    expect([outputOf(generator), ...pages].join('\n')).not.toContain(SECRET)
  })

  it('decisions 3.30: without TLS in production the process ends, and the variable is named', async () => {
    await using generator = start({ ...plain, NODE_ENV: 'production' })
    expect(await generator.end()).toBe(1)
    expect(outputOf(generator)).toContain('KAFKA_SECURITY_PROTOCOL: expected SASL_SSL')
    expect(outputOf(generator)).not.toContain(SECRET)
  })
})
