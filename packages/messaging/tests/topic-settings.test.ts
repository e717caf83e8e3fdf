import { waitFor } from '@taproom/testkit'
import kafkajs from 'kafkajs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTopicAdmin, openOutgoing, SendRefusedError, type TopicAdmin } from '../src/index.ts'
import { startBroker, type TestBroker, unique } from './broker.ts'

const RETENTION = { name: 'retention.ms', value: '3600000' }

describe('topicAdmin', () => {
  let broker: TestBroker
  let admin: TopicAdmin
  beforeAll(async () => {
    broker = await startBroker()
    admin = createTopicAdmin(broker.kafka)
  })
  afterAll(async () => {
    await admin[Symbol.asyncDispose]()
    await broker[Symbol.asyncDispose]()
  })

  /** A topic that somebody else has made, with settings of its own. */
  async function makeTopic(maxMessageBytes: string) {
    const topic = unique('topic')
    const client = broker.kafka.kafkajs.admin()
    await client.connect()
    const configEntries = [RETENTION, { name: 'max.message.bytes', value: maxMessageBytes }]
    await client.createTopics({ topics: [{ topic, configEntries }], waitForLeaders: false })
    await client.disconnect()
    await waitFor('the settings', async () => (await settingsOf(topic))['max.message.bytes'] === maxMessageBytes)
    return topic
  }

  async function settingsOf(name: string) {
    const client = broker.kafka.kafkajs.admin()
    await client.connect()
    const resources = [{ type: kafkajs.ConfigResourceTypes.TOPIC, name }]
    // A broker learns of a topic a moment after its creation was answered.
    const answer = await waitFor('the settings', () =>
      client.describeConfigs({ resources, includeSynonyms: false }).catch(() => undefined),
    )
    await client.disconnect()
    return Object.fromEntries(
      answer.resources[0]?.configEntries.map((each) => [each.configName, each.configValue]) ?? [],
    )
  }

  it('ensureTopic makes a topic that exists take larger messages, and keeps its other settings', async () => {
    const topic = await makeTopic('1000')
    await using outgoing = openOutgoing(broker.kafka, { channel: topic, timeoutMs: 90_000 })
    await expect(outgoing.send({ value: 'x'.repeat(5000) })).rejects.toThrow(SendRefusedError)
    await admin.ensureTopic(topic, 1, { maxMessageBytes: 10_000 })
    const send = () => outgoing.send({ value: 'x'.repeat(5000) })
    // And of its settings a moment after those.
    await waitFor('the broker to take it', () =>
      send().then(
        () => true,
        () => false,
      ),
    )
    expect(await settingsOf(topic)).toMatchObject({ 'max.message.bytes': '10000', 'retention.ms': RETENTION.value })
  })

  it.each([
    ['takes more already', { maxMessageBytes: 1000 }],
    ['is asked for nothing', {}],
  ])('ensureTopic leaves a topic alone that %s', async (_case, settings) => {
    const topic = await makeTopic('20000')
    const before = await settingsOf(topic)
    await admin.ensureTopic(topic, 1, settings)
    expect(await settingsOf(topic)).toEqual(before)
    expect(before['max.message.bytes']).toBe('20000')
  })

  it('deletes what is not there', async () => {
    await admin.deleteGroup(unique('group'))
    await admin.deleteTopic(unique('topic'))
  })
})
