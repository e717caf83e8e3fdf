import { type Consumer, Kafka, logLevel } from 'kafkajs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EmbeddedKafka, startEmbeddedKafka } from '../src/index.ts'
import { consumeUntil, waitFor } from './consume.ts'

describe('kafkajs on the embedded broker', () => {
  let broker: EmbeddedKafka
  let kafka: Kafka
  const open: { disconnect(): Promise<void> }[] = []

  function track<T extends { disconnect(): Promise<void> }>(client: T): T {
    open.push(client)
    return client
  }

  beforeEach(async () => {
    broker = await startEmbeddedKafka()
    kafka = new Kafka({
      clientId: 'test',
      brokers: [broker.bootstrapServers],
      logLevel: logLevel.NOTHING,
      retry: { retries: 5 },
    })
  })

  afterEach(async () => {
    await Promise.all(open.splice(0).map((client) => client.disconnect()))
    await broker[Symbol.asyncDispose]()
  })

  it('gives back keys, values, headers, timestamps and order', async () => {
    const producer = track(kafka.producer())
    await producer.connect()
    await producer.send({
      topic: 'beer',
      messages: [
        { key: 'a', value: 'one', headers: { h: 'x' }, timestamp: '1700000000000' },
        { key: null, value: null },
        { key: 'b', value: 'three' },
      ],
    })
    const messages = await consumeUntil(track(kafka.consumer({ groupId: 'g', maxWaitTimeInMs: 100 })), 'beer', 3)
    expect(messages.map(({ message }) => message.offset)).toEqual(['0', '1', '2'])
    expect(messages.map(({ message }) => message.value?.toString() ?? null)).toEqual(['one', null, 'three'])
    const [first] = messages
    expect(first?.message.key?.toString()).toBe('a')
    expect(first?.message.headers?.['h']?.toString()).toBe('x')
    expect(first?.message.timestamp).toBe('1700000000000')
  })

  it('shares the partitions between two consumers and gives them back when one leaves', async () => {
    const admin = track(kafka.admin())
    await admin.connect()
    await admin.createTopics({ topics: [{ topic: 'shared', numPartitions: 4 }] })
    const assigned = new Map<Consumer, number>()
    const join = async () => {
      const consumer = track(
        kafka.consumer({ groupId: 'pair', maxWaitTimeInMs: 100, heartbeatInterval: 100, sessionTimeout: 6000 }),
      )
      consumer.on('consumer.group_join', ({ payload }) => {
        assigned.set(consumer, payload.memberAssignment['shared']?.length ?? 0)
      })
      await consumer.connect()
      await consumer.subscribe({ topic: 'shared', fromBeginning: true })
      await consumer.run({ eachMessage: async () => {} })
      return consumer
    }
    const first = await join()
    await waitFor(() => assigned.get(first) === 4)
    const second = await join()
    await waitFor(() => assigned.get(first) === 2 && assigned.get(second) === 2)
    await second.disconnect()
    await waitFor(() => assigned.get(first) === 4)
  })

  it('goes on behind the committed offset', async () => {
    const producer = track(kafka.producer())
    await producer.connect()
    await producer.send({ topic: 'log', messages: [{ value: '0' }, { value: '1' }] })
    const first = kafka.consumer({ groupId: 'resume', maxWaitTimeInMs: 100 })
    await consumeUntil(first, 'log', 2)
    await first.disconnect()
    await producer.send({ topic: 'log', messages: [{ value: '2' }] })
    const rest = await consumeUntil(track(kafka.consumer({ groupId: 'resume', maxWaitTimeInMs: 100 })), 'log', 1)
    expect(rest.map(({ message }) => message.value?.toString())).toEqual(['2'])
  })

  it('shows read_committed readers committed transactions and neither aborted nor open ones', async () => {
    const producer = track(kafka.producer({ transactionalId: 'tx', maxInFlightRequests: 1, idempotent: true }))
    await producer.connect()
    const committed = await producer.transaction()
    await committed.send({ topic: 'tx', messages: [{ value: 'kept' }] })
    await committed.commit()
    const aborted = await producer.transaction()
    await aborted.send({ topic: 'tx', messages: [{ value: 'dropped' }] })
    await aborted.abort()
    const last = await producer.transaction()
    await last.send({ topic: 'tx', messages: [{ value: 'kept too' }] })
    await last.commit()
    const read = async (groupId: string, readUncommitted: boolean, count: number) => {
      const messages = await consumeUntil(
        track(kafka.consumer({ groupId, readUncommitted, maxWaitTimeInMs: 100 })),
        'tx',
        count,
      )
      return messages.map(({ message }) => message.value?.toString())
    }
    expect(await read('committed', false, 2)).toEqual(['kept', 'kept too'])
    expect(await read('uncommitted', true, 3)).toEqual(['kept', 'dropped', 'kept too'])
  })

  it('makes offsets sent with a transaction visible when it commits', async () => {
    const admin = track(kafka.admin())
    await admin.connect()
    await admin.createTopics({ topics: [{ topic: 'in' }] })
    const producer = track(kafka.producer({ transactionalId: 'etl', maxInFlightRequests: 1, idempotent: true }))
    await producer.connect()
    const offsets = { consumerGroupId: 'etl', topics: [{ topic: 'in', partitions: [{ partition: 0, offset: '7' }] }] }
    const committedOffset = async () => {
      const [topic] = await admin.fetchOffsets({ groupId: 'etl', topics: ['in'] })
      return topic?.partitions[0]?.offset
    }
    const aborted = await producer.transaction()
    await aborted.sendOffsets(offsets)
    expect(await committedOffset()).toBe('-1')
    await aborted.abort()
    expect(await committedOffset()).toBe('-1')
    const committed = await producer.transaction()
    await committed.sendOffsets(offsets)
    await committed.commit()
    expect(await committedOffset()).toBe('7')
  })

  it('fences the older of two producers with one transactional id', async () => {
    const settings = { transactionalId: 'one', maxInFlightRequests: 1, idempotent: true, retry: { retries: 1 } }
    const old = track(kafka.producer(settings))
    await old.connect()
    const transaction = await old.transaction()
    await transaction.send({ topic: 'fenced', messages: [{ value: 'zombie' }] })
    const young = track(kafka.producer(settings))
    await young.connect()
    const own = await young.transaction()
    await own.send({ topic: 'fenced', messages: [{ value: 'living' }] })
    await expect(transaction.commit()).rejects.toThrow(/epoch/)
    await own.commit()
    const messages = await consumeUntil(track(kafka.consumer({ groupId: 'f', maxWaitTimeInMs: 100 })), 'fenced', 1)
    expect(messages.map(({ message }) => message.value?.toString())).toEqual(['living'])
  })
})
