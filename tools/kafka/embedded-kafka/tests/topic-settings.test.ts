import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Admin, type ConfigResourceTypes, Kafka, logLevel } from 'kafkajs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EmbeddedKafkaOptions, startEmbeddedKafka } from '../src/index.ts'

const TOPIC = 2 as ConfigResourceTypes
const BROKER = 4 as ConfigResourceTypes

async function withAdmin<T>(options: EmbeddedKafkaOptions, use: (admin: Admin) => Promise<T>): Promise<T> {
  await using broker = await startEmbeddedKafka(options)
  const kafka = new Kafka({ brokers: [broker.bootstrapServers], logLevel: logLevel.NOTHING, retry: { retries: 0 } })
  const admin = kafka.admin()
  await using stack = new AsyncDisposableStack()
  stack.defer(() => admin.disconnect())
  await admin.connect()
  return await use(admin)
}

type Settings = Readonly<Record<string, string>>

function create(admin: Admin, topic: string, settings: Settings): Promise<boolean> {
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }))
  return admin.createTopics({ topics: [{ topic, configEntries }] })
}

/** As Kafka Streams, Connect, schema registries and people give them. */
const ORDINARY: readonly Settings[] = [
  { 'cleanup.policy': 'compact' },
  { 'cleanup.policy': 'compact,delete', 'retention.ms': '86400000' },
  { 'cleanup.policy': 'delete', 'retention.ms': '-1', 'segment.bytes': '52428800' },
  {
    'cleanup.policy': 'compact',
    'min.cleanable.dirty.ratio': '0.01',
    'segment.ms': '100',
    'delete.retention.ms': '100',
  },
  { 'cleanup.policy': 'compact', 'min.compaction.lag.ms': '60000', 'max.compaction.lag.ms': '120000' },
  { 'compression.type': 'uncompressed' },
  { 'compression.type': 'gzip', 'compression.gzip.level': '9' },
  { 'compression.type': 'snappy' },
  { 'compression.type': 'lz4', 'compression.lz4.level': '17' },
  { 'compression.type': 'zstd', 'compression.zstd.level': '22' },
  { 'file.delete.delay.ms': '1' },
  { 'flush.messages': '1', 'flush.ms': '9223372036854775807' },
  { 'follower.replication.throttled.replicas': '*', 'leader.replication.throttled.replicas': '0:1,1:1' },
  { 'index.interval.bytes': '4096', 'segment.index.bytes': '1048576' },
  { 'local.retention.ms': '-2', 'local.retention.bytes': '-2' },
  { 'max.message.bytes': '2000000' },
  { 'message.timestamp.type': 'LogAppendTime' },
  { 'message.timestamp.type': 'CreateTime' },
  { 'message.timestamp.before.max.ms': '1000', 'message.timestamp.after.max.ms': '1000' },
  { 'min.insync.replicas': '2' },
  { preallocate: 'TRUE' },
  { 'remote.storage.enable': 'false', 'remote.log.copy.disable': 'true', 'remote.log.delete.on.disable': 'true' },
  { 'retention.bytes': '1073741824', 'retention.ms': '604800000' },
  { 'segment.bytes': '2147483647' },
  { 'segment.jitter.ms': '1000' },
  { 'segment.ms': '1' },
  { 'unclean.leader.election.enable': 'true' },
  { 'cleanup.policy': 'compact,delete', 'max.message.bytes': ' +100 ', 'min.cleanable.dirty.ratio': '.5f' },
]

async function entriesOf(admin: Admin, type: ConfigResourceTypes, name: string, configNames?: string[]) {
  const resources = [{ type, name, ...(configNames && { configNames }) }]
  const { resources: found } = await admin.describeConfigs({ includeSynonyms: true, resources })
  return found[0]?.configEntries ?? []
}

describe('the settings of a topic', () => {
  let dataDir: string

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'embedded-kafka-'))
  })

  afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

  it('are taken as Apache Kafka takes them, and kept over a restart', async () => {
    await withAdmin({ dataDir }, async (admin) => {
      for (const [index, settings] of ORDINARY.entries()) expect(await create(admin, `t${index}`, settings)).toBe(true)
    })
    await withAdmin({ dataDir }, async (admin) => {
      for (const [index, settings] of ORDINARY.entries()) {
        const entries = await entriesOf(admin, TOPIC, `t${index}`, Object.keys(settings))
        expect(Object.fromEntries(entries.map((each) => [each.configName, each.configValue]))).toEqual(settings)
        expect(entries.every(({ configSource }) => Number(configSource) === 1)).toBe(true)
      }
    })
  })

  it('are refused with INVALID_CONFIG when one is wrong', async () => {
    await withAdmin({}, async (admin) => {
      for (const settings of [{ 'cleanup.policy': 'foo' }, { 'message.format.version': '3.0' }]) {
        const refusal: unknown = await create(admin, 't', settings).catch((error: AggregateError) => error.errors[0])
        expect(refusal).toMatchObject({ code: 40, type: 'INVALID_CONFIG' })
      }
    })
  })

  it('are described with their sources and synonyms', async () => {
    await withAdmin({}, async (admin) => {
      await create(admin, 't', { 'cleanup.policy': 'compact' })
      const entries = await entriesOf(admin, TOPIC, 't')
      expect(entries).toHaveLength(33)
      const shown = Object.fromEntries(entries.map((each) => [each.configName, each]))
      const synonym = (configName: string, configValue: string, configSource: number) => ({
        configName,
        configValue,
        configSource,
      })
      expect(shown['cleanup.policy']).toMatchObject({
        configValue: 'compact',
        configSource: 1,
        configSynonyms: [synonym('cleanup.policy', 'compact', 1), synonym('log.cleanup.policy', 'delete', 5)],
      })
      expect(shown['max.message.bytes']).toMatchObject({
        configSource: 5,
        configSynonyms: [synonym('message.max.bytes', '1048588', 5)],
      })
      expect(shown['segment.bytes']).toMatchObject({
        configSource: 4,
        configSynonyms: [synonym('log.segment.bytes', '67108864', 4), synonym('log.segment.bytes', '1073741824', 5)],
      })
      expect(shown['retention.ms']).toMatchObject({ configValue: '604800000', configSource: 5, configSynonyms: [] })
    })
  })

  it('have defaults that the broker shows', async () => {
    await withAdmin({ defaultPartitions: 3 }, async (admin) => {
      const entries = await entriesOf(admin, BROKER, '1')
      const values = Object.fromEntries(entries.map((each) => [each.configName, each.configValue]))
      expect(values).toMatchObject({
        'log.cleanup.policy': 'delete',
        'num.partitions': '3',
        'log.retention.hours': '168',
      })
      expect(values).toMatchObject({ 'log.retention.ms': null, 'log.cleaner.backoff.ms': '15000' })
      const fixed = entries.flatMap(({ readOnly, configName }) => (readOnly ? [configName] : []))
      expect(fixed).toContain('num.partitions')
      expect(fixed).not.toContain('log.retention.ms')
    })
  })

  it('are replaced by AlterConfigs', async () => {
    await withAdmin({}, async (admin) => {
      await create(admin, 't', { 'cleanup.policy': 'compact', 'segment.ms': '5' })
      const configEntries = [{ name: 'retention.ms', value: '7' }]
      await admin.alterConfigs({ validateOnly: false, resources: [{ type: TOPIC, name: 't', configEntries }] })
      const names = ['cleanup.policy', 'segment.ms', 'retention.ms']
      const entries = await entriesOf(admin, TOPIC, 't', names)
      const values = Object.fromEntries(entries.map((each) => [each.configName, each.configValue]))
      expect(values).toEqual({ 'cleanup.policy': 'delete', 'segment.ms': '604800000', 'retention.ms': '7' })
    })
  })
})
