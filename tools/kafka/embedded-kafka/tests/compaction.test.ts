import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompressionTypes } from '@taproom/kafkajs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startEmbeddedKafka } from '../src/index.ts'
import { readBatchHeader } from '../src/records/record-batch.ts'
import { COMPACT, clientOf, logBytes, read, withTopic } from './compacted-topic.ts'
import { consumeUntil, waitFor } from './consume.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'embedded-kafka-'))
})

afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

function firstBatch() {
  const [name] = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith('.log'))
  return readBatchHeader(readFileSync(join(dataDir, name ?? '')))
}

describe('a compacted topic', () => {
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
    await waitFor(() => logBytes(dataDir) < 6000)
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
    ['snappy', CompressionTypes.GZIP, 'snappy'],
    ['lz4', CompressionTypes.None, 'lz4'],
    ['producer', CompressionTypes.GZIP, 'gzip'],
  ])('with compression.type=%s keeps batches that way', async (type, sent, stored) => {
    await using broker = await startEmbeddedKafka({ dataDir })
    const kafka = clientOf(broker.bootstrapServers)
    await using topic = await withTopic(kafka, { 'compression.type': type })
    await topic.send([{ key: 'k', value: 'v' }], sent)
    expect(firstBatch()).toMatchObject({ compression: stored, recordCount: 1 })
    expect(await read(kafka, 1)).toEqual(['0 k=v'])
  })

  it('takes acks=all with more min.insync.replicas than it has replicas, as Apache Kafka does', async () => {
    await using broker = await startEmbeddedKafka()
    await using topic = await withTopic(clientOf(broker.bootstrapServers), { 'min.insync.replicas': '2' })
    expect(await topic.send([{ value: 'v' }])).toMatchObject([{ errorCode: 0 }])
  })
})
