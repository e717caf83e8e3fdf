import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CompressionTypes, Kafka, logLevel, type Message } from 'kafkajs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startEmbeddedKafka } from '../src/index.ts'
import { readBatchHeader } from '../src/records/record-batch.ts'
import { startBrokerProcess } from './broker-process.ts'
import { consumeUntil, waitFor } from './consume.ts'

const PROGRAM = fileURLToPath(new URL('./cleaning-broker.ts', import.meta.url))
const KCAT = process.env['KCAT'] ?? 'kcat'

/** Each batch is a segment, and every sealed one is cleaned at once. */
const COMPACT = { 'cleanup.policy': 'compact', 'internal.segment.bytes': '1', 'min.cleanable.dirty.ratio': '0' }

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'embedded-kafka-'))
})

afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

function clientOf(bootstrapServers: string): Kafka {
  return new Kafka({ brokers: [bootstrapServers], logLevel: logLevel.NOTHING, retry: { retries: 10 } })
}

/** A client with a topic of these settings. */
async function withTopic(kafka: Kafka, settings: Readonly<Record<string, string>>) {
  const stack = new AsyncDisposableStack()
  const [admin, producer] = [kafka.admin(), kafka.producer()]
  for (const client of [admin, producer]) {
    await client.connect()
    stack.defer(() => client.disconnect())
  }
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }))
  await admin.createTopics({ topics: [{ topic: 't', configEntries }] })
  const send = (messages: Message[], compression = CompressionTypes.None) =>
    producer.send({ topic: 't', messages, compression })
  return { send, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

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
    const rounds = 60
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

  for (const codec of ['none', 'gzip', 'snappy', 'lz4', 'zstd']) {
    it(`is read and written by kcat with ${codec}`, { tags: 'kcat' }, async () => {
      await using broker = await startEmbeddedKafka({ dataDir, cleanerBackoffMs: 5 })
      await using _topic = await withTopic(clientOf(broker.bootstrapServers), COMPACT)
      const kcat = async (args: readonly string[], input = ''): Promise<string> => {
        const child = spawn(KCAT, ['-b', broker.bootstrapServers, '-t', 't', '-K', ':', ...args])
        const output: Buffer[] = []
        child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
        child.stdin.end(input)
        await once(child, 'close')
        return Buffer.concat(output).toString()
      }
      const text = 'the same text again and again '.repeat(50)
      const lines = (value: number) => Array.from({ length: 200 }, (_, key) => `key-${key}:${value} ${text}`)
      const compressed = ['-P', '-X', `compression.codec=${codec}`, '-X', 'linger.ms=200']
      for (const value of [1, 2, 3]) await kcat(compressed, lines(value).join('\n'))
      // Too large to be in one segment with a part of the others.
      const last = `last:${randomBytes(1000).toString('hex')}`
      await kcat(['-P'], last)
      const everything = () => kcat(['-C', '-e', '-q', '-o', 'beginning'])
      await waitFor(async () => (await everything()).trim().split('\n').length === 201)
      expect((await everything()).trim().split('\n')).toEqual([...lines(3), last])
    })
  }
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
