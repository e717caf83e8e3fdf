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
})
