import { Kafka, logLevel } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { OptionError, startEmbeddedKafka } from '../src/index.ts'
import { consumeUntil } from './consume.ts'

const MIB = 1_048_576

describe('a broker in memory', () => {
  it('keeps its records within a limit: the oldest of the largest topic go, the newest stay', async () => {
    let warnings = 0
    const onMemoryFull = () => {
      warnings += 1
    }
    await using broker = await startEmbeddedKafka({ maxStoredBytes: 4 * MIB, onMemoryFull })
    const kafka = new Kafka({ brokers: [broker.bootstrapServers], logLevel: logLevel.NOTHING })
    const [admin, producer] = [kafka.admin(), kafka.producer()]
    await using clients = new AsyncDisposableStack()
    for (const client of [admin, producer]) clients.defer(() => client.disconnect())
    await Promise.all([admin.connect(), producer.connect()])
    const configEntries = [{ name: 'segment.bytes', value: String(MIB) }]
    await admin.createTopics({ topics: [{ topic: 'large', configEntries }, { topic: 'small' }] })
    await producer.send({ topic: 'small', messages: [{ value: 'kept' }] })
    expect(warnings).toBe(0)
    const value = Buffer.alloc(250_000, 1)
    for (let count = 0; count < 40; count += 1) await producer.send({ topic: 'large', messages: [{ value }] })
    expect(warnings).toBe(1)
    const [offsets] = await admin.fetchTopicOffsets('large')
    expect(offsets).toMatchObject({ high: '40' })
    const stored = 40 - Number(offsets?.low)
    expect(stored * value.length).toBeLessThan(4 * MIB)
    expect(stored).toBeGreaterThanOrEqual(10)
    expect(await admin.fetchTopicOffsets('small')).toMatchObject([{ low: '0', high: '1' }])
    const consumer = kafka.consumer({ groupId: 'g', maxWaitTimeInMs: 100 })
    clients.defer(() => consumer.disconnect())
    const read = await consumeUntil(consumer, 'large', stored)
    expect(read.map(({ message }) => Number(message.offset))).toEqual(
      Array.from({ length: stored }, (_, index) => 40 - stored + index),
    )
  })

  it('drops nothing of a transaction that is still open, and takes more when it has ended', async () => {
    await using broker = await startEmbeddedKafka({ maxStoredBytes: 4 * MIB })
    const kafka = new Kafka({
      brokers: [broker.bootstrapServers],
      logLevel: logLevel.NOTHING,
      retry: { retries: 1, initialRetryTime: 10 },
    })
    const producer = kafka.producer({ transactionalId: 'tx', idempotent: true, maxInFlightRequests: 1 })
    await using clients = new AsyncDisposableStack()
    clients.defer(() => producer.disconnect())
    await producer.connect()
    const message = { topic: 't', messages: [{ value: Buffer.alloc(1_000_000, 1) }] }
    const open = await producer.transaction()
    for (let count = 0; count < 4; count += 1) await open.send(message)
    await expect(open.send(message)).rejects.toThrow()
    await open.abort()
    const next = await producer.transaction()
    await next.send(message)
    await next.commit()
  })

  it('refuses a batch that is larger than the limit, and drops nothing for it', async () => {
    const properties = { 'message.max.bytes': String(8 * MIB) }
    await using broker = await startEmbeddedKafka({ maxStoredBytes: 4 * MIB, properties })
    const kafka = new Kafka({ brokers: [broker.bootstrapServers], logLevel: logLevel.NOTHING })
    const [admin, producer] = [kafka.admin(), kafka.producer()]
    await using clients = new AsyncDisposableStack()
    for (const client of [admin, producer]) clients.defer(() => client.disconnect())
    await Promise.all([admin.connect(), producer.connect()])
    await producer.send({ topic: 't', messages: [{ value: 'kept' }] })
    const sent = producer.send({ topic: 't', messages: [{ value: Buffer.alloc(5 * MIB) }] })
    await expect(sent).rejects.toMatchObject({ type: 'MESSAGE_TOO_LARGE' })
    expect(await admin.fetchTopicOffsets('t')).toMatchObject([{ low: '0', high: '1' }])
  })

  it('has room for some batches at least', async () => {
    await expect(startEmbeddedKafka({ maxStoredBytes: 1000 })).rejects.toThrow(OptionError)
  })
})
