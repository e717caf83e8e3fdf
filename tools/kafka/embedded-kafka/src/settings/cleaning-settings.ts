import { number, type Setting } from './setting.ts'

/** Settings of topics that are compacted. */
export const CLEANING_SETTINGS: readonly Setting[] = [
  number(
    'long',
    'delete.retention.ms',
    '86400000',
    'How long a record without value, which deletes its key, is kept.',
    {
      least: 0,
      broker: 'log.cleaner.delete.retention.ms',
    },
  ),
  number(
    'double',
    'min.cleanable.dirty.ratio',
    '0.5',
    'The share of the log that is not compacted before it will be.',
    {
      least: 0,
      most: 1,
      broker: 'log.cleaner.min.cleanable.ratio',
    },
  ),
  number('long', 'min.compaction.lag.ms', '0', 'How long every record is kept at least.', {
    least: 0,
    broker: 'log.cleaner.min.compaction.lag.ms',
  }),
  number('long', 'max.compaction.lag.ms', '9223372036854775807', 'A record older than this makes its log compacted.', {
    least: 1,
    broker: 'log.cleaner.max.compaction.lag.ms',
  }),
]
