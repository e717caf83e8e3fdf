import { Kafka, logLevel } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { type EmbeddedKafka, startEmbeddedKafka } from '../src/index.ts'

const MIN = 'group.min.session.timeout.ms'
const BROKER_RESOURCE = 4
const MAX = 'group.max.session.timeout.ms'

const clientOf = ({ bootstrapServers }: EmbeddedKafka) =>
  new Kafka({ brokers: [bootstrapServers], logLevel: logLevel.NOTHING, retry: { retries: 0 } })

/** `joined`, or the type of the error. */
async function join(broker: EmbeddedKafka, sessionTimeout: number): Promise<string> {
  const consumer = clientOf(broker).consumer({ groupId: 'g', sessionTimeout, heartbeatInterval: 100 })
  await consumer.connect()
  await consumer.subscribe({ topic: 't' })
  try {
    return await new Promise((resolve) => {
      consumer.on(consumer.events.GROUP_JOIN, () => resolve('joined'))
      consumer.on(consumer.events.CRASH, ({ payload }) => resolve(Reflect.get(payload.error, 'type')))
      consumer.run({ eachMessage: async () => {} }).catch(() => {})
    })
  } finally {
    await consumer.disconnect()
  }
}

describe('decisions 3.61: sessions of classic groups', () => {
  it('have the limits of Apache Kafka', async () => {
    await using broker = await startEmbeddedKafka({ topics: ['t'] })
    expect(await join(broker, 5999)).toBe('INVALID_SESSION_TIMEOUT')
    expect(await join(broker, 1_800_001)).toBe('INVALID_SESSION_TIMEOUT')
    expect(await join(broker, 6000)).toBe('joined')
  })

  it('have the limits that the properties name, and the broker describes them', async () => {
    await using broker = await startEmbeddedKafka({ topics: ['t'], properties: { [MIN]: '1000', [MAX]: '9000' } })
    expect(await join(broker, 1000)).toBe('joined')
    expect(await join(broker, 9001)).toBe('INVALID_SESSION_TIMEOUT')
    const admin = clientOf(broker).admin()
    await admin.connect()
    const resources = [{ type: BROKER_RESOURCE, name: '1', configNames: [MIN, MAX] }]
    const { resources: described } = await admin.describeConfigs({ includeSynonyms: false, resources })
    await admin.disconnect()
    expect(described[0]?.configEntries.map(({ configName, configValue }) => [configName, configValue])).toEqual([
      [MIN, '1000'],
      [MAX, '9000'],
    ])
  })
})
