import { startEmbeddedKafka } from '@taproom/embedded-kafka'
import { startKafka, waitFor } from '@taproom/testkit'
import { Kafka, logLevel } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { SchemaTopicError, startSchemaRegistry } from '../src/index.ts'
import { client, startRegistry, user } from './registry-client.ts'
import { readRecords, writeRecords } from './topic.ts'

const AVRO = JSON.stringify(user('a'))

describe('the topic _schemas', () => {
  it("has records in Confluent's format", async () => {
    await using registry = await startRegistry()
    const { call, register } = registry
    await call('PUT', '/config', { compatibility: 'FULL' })
    await call('PUT', '/config/s', { compatibility: 'NONE' })
    await register('s', user('a'))
    const references = [{ name: 'User', subject: 's', version: 1 }]
    await register('t', '{"type":"object"}', { schemaType: 'JSON', references: [] })
    await register('u', '"User"', { references })
    await call('DELETE', '/subjects/u')
    await call('DELETE', '/subjects/u?permanent=true')
    await call('DELETE', '/subjects/s/versions/1')
    await call('PUT', '/mode', { mode: 'READONLY' })
    await call('DELETE', '/mode')
    const user1 = { subject: 's', version: 1, id: 1, schema: AVRO, deleted: false }
    expect(await readRecords(registry.bootstrapServers)).toEqual(
      [
        ['{"keytype":"CONFIG","magic":0}', { compatibilityLevel: 'FULL' }],
        ['{"keytype":"CONFIG","subject":"s","magic":0}', { subject: 's', compatibilityLevel: 'NONE' }],
        ['{"keytype":"SCHEMA","subject":"s","version":1,"magic":1}', user1],
        [
          '{"keytype":"SCHEMA","subject":"t","version":1,"magic":1}',
          { subject: 't', version: 1, id: 2, schemaType: 'JSON', schema: '{"type":"object"}', deleted: false },
        ],
        [
          '{"keytype":"SCHEMA","subject":"u","version":1,"magic":1}',
          { subject: 'u', version: 1, id: 3, references, schema: '"User"', deleted: false },
        ],
        ['{"keytype":"DELETE_SUBJECT","subject":"u","magic":0}', { subject: 'u', version: 1 }],
        ['{"keytype":"SCHEMA","subject":"u","version":1,"magic":1}', null],
        ['{"keytype":"SCHEMA","subject":"s","version":1,"magic":1}', { ...user1, deleted: true }],
        ['{"keytype":"MODE","magic":0}', { mode: 'READONLY' }],
        ['{"keytype":"MODE","magic":0}', null],
      ].map(([key, value]) => ({ key, value: value && JSON.stringify(value) })),
    )
  })

  it("is read with records of Confluent's registry, and what means nothing here is written again as it was", async () => {
    await using kafka = await startEmbeddedKafka()
    const value = {
      subject: 's',
      version: 3,
      id: 17,
      md5: 'nL==',
      metadata: { tags: {} },
      schema: AVRO,
      deleted: false,
    }
    const key = '{"keytype":"SCHEMA","subject":"s","version":3,"magic":1}'
    await using first = await startSchemaRegistry({ bootstrapServers: kafka.bootstrapServers })
    await writeRecords(kafka.bootstrapServers, [
      { key: '{"keytype":"CONTEXT","tenant":"default","context":"c","magic":0}', value: '{}' },
      { key, value: JSON.stringify(value) },
      { key: '{"keytype":"CONFIG","subject":null,"magic":0}', value: '{"compatibilityLevel":"FORWARD"}' },
    ])
    const { call, register } = client(first.url)
    await waitFor('the records', async () => (await call('GET', '/config')).json.compatibilityLevel === 'FORWARD')
    expect((await call('GET', '/subjects/s/versions/3')).json).toMatchObject({ id: 17, schema: AVRO })
    expect((await register('new', user('b'))).json.id).toBe(18)
    await call('DELETE', '/subjects/s/versions/3')
    const last = (await readRecords(kafka.bootstrapServers)).at(-1)
    expect({ ...last, value: JSON.parse(last?.value ?? '') }).toEqual({ key, value: { ...value, deleted: true } })
  })

  it('decisions 3.69: may have records that nobody can read', async () => {
    await using registry = await startRegistry()
    const { call, register } = registry
    const key = (version: unknown) => JSON.stringify({ keytype: 'SCHEMA', subject: 'bad', version, magic: 1 })
    const value = { subject: 'bad', version: 1, id: 1, schema: '{"type":"recrd"}', deleted: false }
    await writeRecords(registry.bootstrapServers, [
      { key: 'no JSON', value: 'no JSON' },
      { key: Buffer.from([0xff, 0xfe]), value: Buffer.from([0x00]) },
      { key: '[]', value: '[]' },
      { key: '{"keytype":"OTHER"}', value: null },
      { key: key('1'), value: JSON.stringify(value) },
      { key: key(1), value: '{"id":-1,"schema":"x"}' },
      { key: key(2), value: `${'['.repeat(100_000)}` },
      { key: '{"keytype":"CONFIG","magic":0}', value: '{"compatibilityLevel":7}' },
      { key: '{"keytype":"MODE","magic":0}', value: '{"mode":["READONLY"]}' },
      { key: key(1), value: JSON.stringify(value) },
    ])
    expect((await register('good', user('a'))).status).toBe(200)
    // Stored by somebody who did not look at it: answered as it is, and nothing is compatible with it.
    expect((await call('GET', '/subjects/bad/versions/1')).json.schema).toBe(value.schema)
    expect((await register('bad', user('a'))).status).toBe(422)
    expect((await call('GET', '/config')).json).toEqual({ compatibilityLevel: 'BACKWARD' })
  })

  it('holds everything for the next registry', async () => {
    await using kafka = await startKafka()
    const { bootstrapServers } = kafka
    const read = async () => {
      await using registry = await startSchemaRegistry({ bootstrapServers })
      const { call, register } = client(registry.url)
      await register('kept', user('a'))
      await register('kept', user('a', 'b?'))
      await call('PUT', '/config/kept', { compatibility: 'FULL' })
      return [(await call('GET', '/schemas')).json, (await call('GET', '/config/kept')).json]
    }
    const before = await read()
    expect(before[0]).toHaveLength(2)
    expect(await read()).toEqual(before)
  })

  it('is read by the next request where a reload has failed', async () => {
    await using kafka = await startEmbeddedKafka()
    await using registry = await startSchemaRegistry({ bootstrapServers: kafka.bootstrapServers })
    const [broker] = kafka.brokers
    await broker.kill()
    await expect(registry.reload()).rejects.toThrow()
    await broker.start()
    expect((await client(registry.url).call('GET', '/subjects')).status).toBe(200)
  })

  it('is read again, and created where it is gone, when the registry is reloaded', async () => {
    await using kafka = await startEmbeddedKafka()
    await using registry = await startSchemaRegistry({ bootstrapServers: kafka.bootstrapServers })
    const { call, register } = client(registry.url)
    await register('gone', user('a'))
    kafka.control.reset()
    const reloaded = registry.reload()
    expect((await call('GET', '/subjects')).json).toEqual([])
    await reloaded
    expect((await register('new', user('a'))).json).toMatchObject({ id: 1, version: 1 })
  })

  it.each([
    ['several partitions', { numPartitions: 2, configEntries: [{ name: 'cleanup.policy', value: 'compact' }] }],
    ['no compaction', { numPartitions: 1 }],
  ])('is refused with %s', async (_what, topic) => {
    await using kafka = await startEmbeddedKafka()
    const { bootstrapServers } = kafka
    const admin = new Kafka({ brokers: [bootstrapServers], logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    await admin.createTopics({ topics: [{ topic: '_schemas', ...topic }] })
    await admin.disconnect()
    await expect(startSchemaRegistry({ bootstrapServers })).rejects.toThrow(SchemaTopicError)
  })
})

describe('decisions 3.67: two registries on one topic', () => {
  it('see what the other one wrote, and give no id or version twice', async () => {
    await using kafka = await startEmbeddedKafka()
    const { bootstrapServers } = kafka
    await using one = await startSchemaRegistry({ bootstrapServers })
    await using other = await startSchemaRegistry({ bootstrapServers })
    const clients = [client(one.url), client(other.url)]
    await clients[0]?.call('PUT', '/config', { compatibility: 'NONE' })

    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        clients[index % 2]?.register(index % 4 < 2 ? 'shared' : `own-${index}`, user(`field${index}`)),
      ),
    )
    expect(answers.map((answer) => answer?.status)).toEqual(answers.map(() => 200))
    const ids = answers.map((answer) => answer?.json.id)
    expect(new Set(ids).size).toBe(16)
    const shared = new Set(answers.filter((_, index) => index % 4 < 2).map((answer) => answer?.json.version))
    expect(shared).toEqual(new Set(Array.from({ length: 8 }, (_, index) => index + 1)))

    // A write is answered when everything before it was read, so that now both hold the same.
    await Promise.all(clients.map((each) => each.register('last', user('last'))))
    const [ofOne, ofOther] = await Promise.all(clients.map(async (each) => (await each.call('GET', '/schemas')).json))
    expect(ofOne).toHaveLength(17)
    expect(ofOther).toEqual(ofOne)

    // And so does one that reads it all from the beginning.
    await using third = await startSchemaRegistry({ bootstrapServers })
    expect((await client(third.url).call('GET', '/schemas')).json).toEqual(ofOne)
  })

  it('let a program that is none have the last word, as its record has it after compaction', async () => {
    await using registry = await startRegistry()
    const { call, register, bootstrapServers } = registry
    await register('mine', user('a'))
    const key = '{"keytype":"SCHEMA","subject":"mine","version":1,"magic":1}'
    const value = { subject: 'mine', version: 1, id: 9, schema: JSON.stringify(user('other')), deleted: false }
    await writeRecords(bootstrapServers, [{ key, value: JSON.stringify(value) }])
    await register('next', user('next'))
    expect((await call('GET', '/subjects/mine/versions/1')).json).toMatchObject({ id: 9, schema: value.schema })
  })

  it('leave no record of a write that lost as the last one of its key', async () => {
    await using kafka = await startEmbeddedKafka()
    const { bootstrapServers } = kafka
    await using one = await startSchemaRegistry({ bootstrapServers })
    await using other = await startSchemaRegistry({ bootstrapServers })
    const clients = [client(one.url), client(other.url)]
    await clients[0]?.call('PUT', '/config', { compatibility: 'NONE' })
    // Until two of them met.
    const answered = new Map<number, string>()
    const records = await waitFor('a conflict', async () => {
      const round = answered.size
      const answers = await Promise.all(
        clients.map((each, index) => each.register('contested', user(`field${round}of${index}`))),
      )
      for (const { json } of answers) answered.set(json.version, json.schema)
      const all = await readRecords(bootstrapServers)
      return all.length > answered.size + 1 && all
    })
    const last = new Map(records.map(({ key, value }) => [key, value]))
    for (const [version, schema] of answered) {
      const key = `{"keytype":"SCHEMA","subject":"contested","version":${version},"magic":1}`
      expect(JSON.parse(last.get(key) ?? '')).toMatchObject({ version, schema })
    }
  })
})
