import { describe, expect, it } from 'vitest'
import { checkTopicConfig, type TopicConfig } from './topic-settings.ts'

const wrong = (name: string, value: string, reason: string, shown = value) =>
  [{ [name]: value }, `Invalid value ${shown} for configuration ${name}: ${reason}`] as const
const REPLICAS = 'follower.replication.throttled.replicas'

/** What Apache Kafka 4.1.0 answers to these. */
const REFUSED: readonly (readonly [TopicConfig, string])[] = [
  wrong('cleanup.policy', 'foo', 'String must be one of: compact, delete'),
  wrong('compression.type', 'GZIP', 'String must be one of: uncompressed, zstd, lz4, snappy, gzip, producer'),
  wrong('compression.gzip.level', '0', 'Value must be between 1 and 9 or equal to -1'),
  wrong('compression.zstd.level', '23', 'Value must be no more than 22'),
  wrong('flush.ms', '9223372036854775808', 'Not a number of type LONG'),
  wrong('index.interval.bytes', '2147483648', 'Not a number of type INT'),
  wrong('local.retention.ms', '-3', 'Value must be at least -2'),
  wrong('max.message.bytes', '1e3', 'Not a number of type INT'),
  wrong('message.timestamp.type', 'foo', 'String must be one of: CreateTime, LogAppendTime'),
  wrong('min.cleanable.dirty.ratio', '1.1', 'Value must be no more than 1'),
  wrong('min.cleanable.dirty.ratio', '2', 'Value must be no more than 1', '2.0'),
  wrong('min.cleanable.dirty.ratio', 'abc', 'Not a number of type DOUBLE'),
  wrong('min.insync.replicas', '0', 'Value must be at least 1'),
  wrong('preallocate', 'yes', 'Expected value to be either true or false'),
  wrong('retention.ms', '', 'Not a number of type LONG'),
  wrong('segment.bytes', ' +5', 'Value must be at least 1048576', '5'),
  wrong('segment.ms', '-0', 'Value must be at least 1', '0'),
  wrong('segment.bytes', '1048575', 'Value must be at least 1048576'),
  [{ 'message.format.version': '3.0' }, 'Unknown topic config name: message.format.version'],
  [{ 'retention.ms': '5', 'unknown.a': '1' }, 'Unknown topic config name: unknown.a'],
  [
    { 'max.compaction.lag.ms': '5', 'min.compaction.lag.ms': '6' },
    'conflict topic config setting min.compaction.lag.ms (6) > max.compaction.lag.ms (5)',
  ],
  [
    { 'remote.storage.enable': 'true' },
    'Tiered Storage functionality is disabled in the broker. Topic cannot be configured with remote log storage.',
  ],
  [
    { [REPLICAS]: 'x' },
    `Invalid value [x] for configuration ${REPLICAS}: ${REPLICAS} must be the literal '*' or a list of replicas in the ` +
      'following format: [partitionId]:[brokerId],[partitionId]:[brokerId],...',
  ],
]

describe('checkTopicConfig', () => {
  it.each(REFUSED)('refuses %j in the words of Apache Kafka', (settings, message) => {
    expect(() => checkTopicConfig(settings)).toThrow(expect.objectContaining({ errorCode: 40, message }))
  })

  it('refuses values of any length, which lists could grow to', () => {
    const value = Array.from({ length: 1200 }, (_, index) => `${index}:1`).join(',')
    expect(() => checkTopicConfig({ [REPLICAS]: value })).toThrow('more than 4096 characters')
    expect(() => checkTopicConfig({ 'retention.ms': `${' '.repeat(100)}5` })).toThrow('more than 64 characters')
  })
})
