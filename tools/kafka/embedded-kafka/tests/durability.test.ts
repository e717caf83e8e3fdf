import { appendFile, mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DataDirError, startEmbeddedKafka } from '../src/index.ts'
import { startBrokerProcess } from './broker-process.ts'
import { consumeUntil, waitFor } from './consume.ts'

function clientOf(bootstrapServers: string): Kafka {
  return new Kafka({
    clientId: 'durability',
    brokers: [bootstrapServers],
    logLevel: logLevel.NOTHING,
    retry: { retries: 30, initialRetryTime: 50, maxRetryTime: 500 },
  })
}

async function filesUnder(folder: string, suffix: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.name.endsWith(suffix)).map((entry) => join(entry.parentPath, entry.name))
}

describe('a broker with a data directory', () => {
  let dataDir: string

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'embedded-kafka-'))
  })

  afterEach(async () => {
    await rm(dataDir, { recursive: true, force: true })
  })

  async function read(bootstrapServers: string, topic: string, count: number, groupId = 'reader'): Promise<string[]> {
    const consumer = clientOf(bootstrapServers).consumer({ groupId, maxWaitTimeInMs: 100 })
    const messages = await consumeUntil(consumer, topic, count)
    await consumer.disconnect()
    return messages.map(({ message }) => message.value?.toString() ?? '')
  }

  it('keeps topics, records and committed offsets over a restart', async () => {
    const first = await startEmbeddedKafka({ dataDir })
    const producer = clientOf(first.bootstrapServers).producer()
    await producer.connect()
    await producer.send({ topic: 'kept', messages: [{ value: '0' }, { value: '1' }] })
    expect(await read(first.bootstrapServers, 'kept', 2, 'group')).toEqual(['0', '1'])
    await producer.send({ topic: 'kept', messages: [{ value: '2' }] })
    await producer.disconnect()
    await first[Symbol.asyncDispose]()

    await using second = await startEmbeddedKafka({ dataDir })
    expect(await read(second.bootstrapServers, 'kept', 1, 'group')).toEqual(['2'])
    expect(await read(second.bootstrapServers, 'kept', 3, 'another')).toEqual(['0', '1', '2'])
  })

  it('refuses a second broker while the first one lives', async () => {
    await using _first = await startEmbeddedKafka({ dataDir })
    await expect(startEmbeddedKafka({ dataDir })).rejects.toBeInstanceOf(DataDirError)
  })

  it('keeps deleted records deleted and a deleted topic gone', async () => {
    const first = await startEmbeddedKafka({ dataDir })
    const kafka = clientOf(first.bootstrapServers)
    const producer = kafka.producer()
    const admin = kafka.admin()
    await Promise.all([producer.connect(), admin.connect()])
    for (const topic of ['cut', 'gone']) await producer.send({ topic, messages: [{ value: '0' }, { value: '1' }] })
    await producer.send({ topic: 'cut', messages: [{ value: '2' }] })
    expect(await admin.fetchTopicOffsets('cut')).toMatchObject([{ low: '0', high: '3' }])
    await admin.deleteTopicRecords({ topic: 'cut', partitions: [{ partition: 0, offset: '2' }] })
    await admin.deleteTopics({ topics: ['gone'] })
    await Promise.all([producer.disconnect(), admin.disconnect()])
    await first[Symbol.asyncDispose]()

    await using second = await startEmbeddedKafka({ dataDir })
    const again = clientOf(second.bootstrapServers).admin()
    await again.connect()
    expect(await again.listTopics()).toEqual(['cut'])
    expect(await again.fetchTopicOffsets('cut')).toMatchObject([{ low: '2', high: '3' }])
    await again.disconnect()
  })

  it('aborts, after a restart, a transaction whose producer never came back, and keeps the outcome of the others', async () => {
    const first = await startEmbeddedKafka({ dataDir })
    const settings = { transactionalId: 'tx', maxInFlightRequests: 1, idempotent: true }
    const producer = clientOf(first.bootstrapServers).producer(settings)
    await producer.connect()
    const committed = await producer.transaction()
    await committed.send({ topic: 'tx', messages: [{ value: 'committed' }] })
    await committed.commit()
    const aborted = await producer.transaction()
    await aborted.send({ topic: 'tx', messages: [{ value: 'aborted' }] })
    await aborted.abort()
    const open = await producer.transaction()
    await open.send({ topic: 'tx', messages: [{ value: 'open' }] })
    await first[Symbol.asyncDispose]()

    await using second = await startEmbeddedKafka({ dataDir })
    const successor = clientOf(second.bootstrapServers).producer(settings)
    await successor.connect()
    const last = await successor.transaction()
    await last.send({ topic: 'tx', messages: [{ value: 'last' }] })
    await last.commit()
    expect(await read(second.bootstrapServers, 'tx', 2)).toEqual(['committed', 'last'])
    await Promise.all([producer.disconnect(), successor.disconnect()])
  })

  it('cuts a torn tail and writes on behind the last whole record', async () => {
    const first = await startEmbeddedKafka({ dataDir })
    const producer = clientOf(first.bootstrapServers).producer()
    await producer.connect()
    for (const value of ['0', '1', '2']) await producer.send({ topic: 'torn', messages: [{ value }] })
    await producer.disconnect()
    await first[Symbol.asyncDispose]()
    const [log] = await filesUnder(join(dataDir, 'topics'), '.log')
    if (!log) throw new Error('there is no log file')
    await truncate(log, (await stat(log)).size - 5)
    await appendFile(join(dataDir, 'state.journal'), Buffer.from([0, 0, 1, 0, 7]))

    await using second = await startEmbeddedKafka({ dataDir })
    const next = clientOf(second.bootstrapServers).producer()
    await next.connect()
    const [written] = await next.send({ topic: 'torn', messages: [{ value: 'new' }] })
    await next.disconnect()
    expect(written?.baseOffset).toBe('2')
    expect(await read(second.bootstrapServers, 'torn', 3)).toEqual(['0', '1', 'new'])
  })

  it('loses no acknowledged record when it is killed while producing', async () => {
    const acknowledged: number[] = []
    let next = 0
    let broker = await startBrokerProcess({ dataDir })
    const { port } = broker
    const producer = clientOf(broker.bootstrapServers).producer({ idempotent: true, maxInFlightRequests: 1 })
    await producer.connect()
    let isDone = false
    const producing = (async () => {
      while (!isDone) {
        const values = Array.from({ length: 5 }, () => next++)
        await producer.send({ topic: 'killed', messages: values.map((value) => ({ value: String(value) })) })
        acknowledged.push(...values)
      }
    })()
    for (let round = 1; round <= 2; round += 1) {
      await waitFor(() => acknowledged.length >= round * 100)
      await broker.kill('SIGKILL')
      broker = await startBrokerProcess({ dataDir, port })
    }
    await waitFor(() => acknowledged.length >= 300)
    isDone = true
    await producing
    await producer.disconnect()
    const values = await read(broker.bootstrapServers, 'killed', acknowledged.length)
    expect(values).toEqual(acknowledged.map(String))
    expect(await broker.kill('SIGTERM')).toBe(0)
  })
})
