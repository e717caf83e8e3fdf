import { startEmbeddedKafka } from '@taproom/embedded-kafka'
import { startProcess } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { client, user } from './registry-client.ts'

const main = new URL('../src/main.ts', import.meta.url)

describe('the command', () => {
  it('serves the registry of the Kafka that its variables name, and ends with 0', async () => {
    await using kafka = await startEmbeddedKafka()
    const env = { KAFKA_BOOTSTRAP_SERVERS: kafka.bootstrapServers, SCHEMA_REGISTRY_TOPIC: 'other-schemas' }
    await using registry = startProcess(main, env)
    const { call, register } = client(await registry.url())
    expect((await register('a', user('a'))).status).toBe(200)
    expect((await call('GET', '/subjects')).json).toEqual(['a'])
    expect(await registry.stop()).toBe(0)
  })

  it('does not start with variables that are wrong', async () => {
    await using registry = startProcess(main, { PORT: 'x', KAFKA_BOOTSTRAP_SERVERS: 'nowhere' })
    expect(await registry.end()).toBe(1)
    expect(registry.errors.join('\n')).toMatch(/PORT.*KAFKA_BOOTSTRAP_SERVERS/s)
  })
})
