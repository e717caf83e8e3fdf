import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CompressionTypes, type Kafka } from 'kafkajs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startEmbeddedKafka } from '../src/index.ts'
import { readBatchHeader } from '../src/records/record-batch.ts'
import { startBrokerProcess } from './broker-process.ts'
import { COMPACT, clientOf, withTopic } from './compacted-topic.ts'
import { consumeUntil, waitFor } from './consume.ts'

const PROGRAM = fileURLToPath(new URL('./cleaning-broker.ts', import.meta.url))

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'embedded-kafka-'))
})

afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

/** The sizes of all log files together. */
function logBytes(): number {
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.log'))
  // The cleaner removes files meanwhile.
  return names.reduce((sum, name) => sum + (statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0), 0)
}

function firstBatch() {
  const [name] = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith('.log'))
  return readBatchHeader(readFileSync(join(dataDir, name ?? '')))
}

async function read(kafka: Kafka, count: number): Promise<string[]> {
  const consumer = kafka.consumer({ groupId: `reader-${Math.random()}`, maxWaitTimeInMs: 100 })
  const messages = await consumeUntil(consumer, 't', count)
  await consumer.disconnect()
  return messages.map(({ message }) => `${message.offset} ${message.key}=${message.value}`)
}

describe('a compacted topic', () => {
  it('keeps the last value of each key, also when the broker is killed again and again', async () => {
    let broker = await startBrokerProcess({ dataDir, program: PROGRAM })
    const kafka = clientOf(broker.bootstrapServers)
    await using topic = await withTopic(kafka, COMPACT)
    const rounds = 40
    for (let round = 1; round <= rounds; round += 1) {
      await topic.send(['a', 'b', 'c'].map((key) => ({ key, value: `${key}${round}`.padEnd(1000, ' ') })))
      if (round % 20 !== 0) continue
      await broker.kill('SIGKILL')
      broker = await startBrokerProcess({ dataDir, program: PROGRAM, port: broker.port })
    }
    await waitFor(() => logBytes() < 8 * 1000)
    // The last ones of what was cleaned, and those being written to.
    const values = await read(kafka, 6)
    expect(values.slice(-3).map((line) => line.trim())).toEqual([
      `${rounds * 3 - 3} a=a${rounds}`,
      `${rounds * 3 - 2} b=b${rounds}`,
      `${rounds * 3 - 1} c=c${rounds}`,
    ])
    expect(await broker.kill('SIGTERM')).toBe(0)
  })

  it('refuses records without key, compressed ones, too', async () => {
    await using broker = await startEmbeddedKafka()
    await using topic = await withTopic(clientOf(broker.bootstrapServers), COMPACT)
    const refusal = { type: 'INVALID_RECORD' }
    await expect(topic.send([{ value: 'v' }])).rejects.toMatchObject(refusal)
    await expect(topic.send([{ key: 'k', value: 'v' }, { value: 'v' }], CompressionTypes.GZIP)).rejects.toMatchObject(
      refusal,
    )
    expect(await topic.send([{ key: 'k', value: 'v' }], CompressionTypes.GZIP)).toMatchObject([{ errorCode: 0 }])
  })

  it('gives readers of what is committed the last committed value, and nothing that was aborted', async () => {
    await using broker = await startEmbeddedKafka({ dataDir, cleanerBackoffMs: 5 })
    const kafka = clientOf(broker.bootstrapServers)
    await using topic = await withTopic(kafka, COMPACT)
    const producer = kafka.producer({ transactionalId: 'tx', maxInFlightRequests: 1, idempotent: true })
    await producer.connect()
    for (let round = 1; round <= 20; round += 1) {
      const transaction = await producer.transaction()
      const messages = ['a', 'b'].map((key) => ({ key, value: `${round} ${'x'.repeat(1000)}` }))
      await transaction.send({ topic: 't', messages })
      await (round % 4 === 0 ? transaction.abort() : transaction.commit())
    }
    await producer.disconnect()
    for (const key of ['c', 'd']) await topic.send([{ key, value: 'x'.repeat(1000) }])
    await waitFor(() => logBytes() < 6000)
    const short = (await read(kafka, 4)).map((line) => line.replace(/ ?x+$/, ''))
    expect(short).toEqual([expect.stringMatching(/ a=19$/), expect.stringMatching(/ b=19$/), '60 c=', '61 d='])
  })
})

describe('a topic', () => {
  it('gives records the time of the broker with message.timestamp.type=LogAppendTime', async () => {
    await using broker = await startEmbeddedKafka()
    const kafka = clientOf(broker.bootstrapServers)
    await using topic = await withTopic(kafka, { 'message.timestamp.type': 'LogAppendTime' })
    const before = Date.now()
    const [sent] = await topic.send([
      { value: 'v', timestamp: '1000' },
      { value: 'v', timestamp: String(before * 2) },
    ])
    const appended = Number(sent?.logAppendTime)
    expect(appended).toBeGreaterThanOrEqual(before)
    const consumer = kafka.consumer({ groupId: 'g' })
    const messages = await consumeUntil(consumer, 't', 2)
    await consumer.disconnect()
    expect(messages[0]?.message.timestamp).toBe(String(appended))
    const admin = kafka.admin()
    await admin.connect()
    expect(await admin.fetchTopicOffsetsByTimestamp('t', appended)).toMatchObject([{ offset: '0' }])
    await admin.disconnect()
  })

  it('takes no records out of message.timestamp.before.max.ms and after.max.ms', async () => {
    await using broker = await startEmbeddedKafka()
    const bounds = { 'message.timestamp.before.max.ms': '60000', 'message.timestamp.after.max.ms': '0' }
    await using topic = await withTopic(clientOf(broker.bootstrapServers), bounds)
    const at = (ms: number) => [{ value: 'v', timestamp: String(Date.now() + ms) }]
    for (const ms of [-70_000, 10_000]) {
      await expect(topic.send(at(ms))).rejects.toMatchObject({ type: 'INVALID_TIMESTAMP' })
    }
    expect(await topic.send(at(-10_000))).toMatchObject([{ errorCode: 0 }])
  })

  it.each([
    ['gzip', CompressionTypes.None, 'gzip'],
    ['uncompressed', CompressionTypes.GZIP, 'none'],
    ['zstd', CompressionTypes.GZIP, 'zstd'],
    ['snappy', CompressionTypes.GZIP, 'gzip'],
    ['producer', CompressionTypes.GZIP, 'gzip'],
  ])('with compression.type=%s keeps batches that way', async (type, sent, stored) => {
    await using broker = await startEmbeddedKafka({ dataDir })
    const kafka = clientOf(broker.bootstrapServers)
    await using topic = await withTopic(kafka, { 'compression.type': type })
    await topic.send([{ key: 'k', value: 'v' }], sent)
    expect(firstBatch()).toMatchObject({ compression: stored, recordCount: 1 })
    // This client knows no zstd.
    if (stored !== 'zstd') expect(await read(kafka, 1)).toEqual(['0 k=v'])
  })

  it('takes acks=all with more min.insync.replicas than it has replicas, as Apache Kafka does', async () => {
    await using broker = await startEmbeddedKafka()
    await using topic = await withTopic(clientOf(broker.bootstrapServers), { 'min.insync.replicas': '2' })
    expect(await topic.send([{ value: 'v' }])).toMatchObject([{ errorCode: 0 }])
  })
})
