import { choice, number, type Setting } from './setting.ts'

const COMPRESSION_TYPES = ['uncompressed', 'zstd', 'lz4', 'snappy', 'gzip', 'producer']

/** Settings of what producers may send, and of what becomes of it. */
export const MESSAGE_SETTINGS: readonly Setting[] = [
  number('int', 'max.message.bytes', '1048588', 'The largest batch of records that is taken.', {
    least: 0,
    broker: 'message.max.bytes',
  }),
  choice('compression.type', 'producer', 'How batches are compressed in the log; producer: as they came.', {
    values: COMPRESSION_TYPES,
    broker: 'compression.type',
  }),
  number('int', 'compression.gzip.level', '-1', 'The level where compression.type is gzip.', {
    least: 1,
    most: 9,
    special: -1,
    broker: 'compression.gzip.level',
  }),
  number('int', 'compression.lz4.level', '9', 'The level where compression.type is lz4.', {
    least: 1,
    most: 17,
    broker: 'compression.lz4.level',
    isWithoutEffect: true,
  }),
  number('int', 'compression.zstd.level', '3', 'The level where compression.type is zstd.', {
    least: -131_072,
    most: 22,
    broker: 'compression.zstd.level',
  }),
  choice('message.timestamp.type', 'CreateTime', 'Whose times records have: their producer’s, or the broker’s.', {
    values: ['CreateTime', 'LogAppendTime'],
    broker: 'log.message.timestamp.type',
  }),
  number('long', 'message.timestamp.before.max.ms', '9223372036854775807', 'How old the time of a new record may be.', {
    least: 0,
    broker: 'log.message.timestamp.before.max.ms',
  }),
  number('long', 'message.timestamp.after.max.ms', '3600000', 'How far ahead the time of a new record may be.', {
    least: 0,
    broker: 'log.message.timestamp.after.max.ms',
  }),
]
