import { readFileSync } from 'node:fs'
import { SchemaRegistry } from '@kafkajs/confluent-schema-registry'
import { startEmbeddedKafka } from '@taproom/embedded-kafka'
import { markedExample } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { startSchemaRegistry } from '../src/index.ts'
import { REGISTRY_LIMITS } from '../src/limits.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

describe('the README', () => {
  it('has an example that runs', async () => {
    // example
    await using kafka = await startEmbeddedKafka()
    await using registry = await startSchemaRegistry({ bootstrapServers: kafka.bootstrapServers })

    const schemas = new SchemaRegistry({ host: registry.url })
    const beer = { type: 'record' as const, name: 'Beer', fields: [{ name: 'name', type: 'string' }] }
    const { id } = await schemas.register(beer, { subject: 'beer-value' })
    const bytes = await schemas.encode(id, { name: 'Duvel' }) // the value of a Kafka record
    const { name } = await schemas.decode(bytes) // 'Duvel'
    // example
    expect(name).toBe('Duvel')
    expect(readme).toContain(markedExample(import.meta.filename))
  })

  it('names all limits', () => {
    for (const name of Object.keys(REGISTRY_LIMITS)) expect(readme).toContain(`\`${name}\``)
  })
})
