import { choices, flag, number, type Setting } from './setting.ts'

const LONG_MAX = '9223372036854775807'

/** Settings that say how a log is kept: its segments, what is dropped of it, when it is flushed. */
export const LOG_SETTINGS: readonly Setting[] = [
  choices(
    'cleanup.policy',
    'delete',
    'What happens to old segments: delete drops them by age and size, compact keeps the last record of each key.',
    { values: ['compact', 'delete'], broker: 'log.cleanup.policy' },
  ),
  number('long', 'retention.ms', '604800000', 'How long records are kept under the policy delete; -1 for ever.', {
    least: -1,
    unsetBroker: 'log.retention.ms',
  }),
  number('long', 'retention.bytes', '-1', 'How large a partition grows under the policy delete; -1 for any size.', {
    broker: 'log.retention.bytes',
  }),
  number('int', 'segment.bytes', '67108864', 'The size of a file of the log. Whole files are dropped or compacted.', {
    least: 1_048_576,
    standard: '1073741824',
    broker: 'log.segment.bytes',
  }),
  number('int', 'internal.segment.bytes', '', 'In place of segment.bytes without its lower limit, for tests.', {
    isInternal: true,
  }),
  number('long', 'segment.ms', '604800000', 'A new segment begins when the first record of the last one is this old.', {
    least: 1,
    unsetBroker: 'log.roll.ms',
  }),
  number('long', 'segment.jitter.ms', '0', 'Segments begin earlier by up to this time, so that not all do at once.', {
    least: 0,
    unsetBroker: 'log.roll.jitter.ms',
    isWithoutEffect: true,
  }),
  number('int', 'segment.index.bytes', '10485760', 'The largest size of the index of a segment.', {
    least: 4,
    broker: 'log.index.size.max.bytes',
    isWithoutEffect: true,
  }),
  number('int', 'index.interval.bytes', '4096', 'How far the entries of an index are apart in the log.', {
    least: 0,
    broker: 'log.index.interval.bytes',
    isWithoutEffect: true,
  }),
  number('long', 'file.delete.delay.ms', '60000', 'How long the file of a dropped segment stays on the disk.', {
    least: 0,
    broker: 'log.segment.delete.delay.ms',
    isWithoutEffect: true,
  }),
  number('long', 'flush.messages', LONG_MAX, 'After how many records the log is flushed to the device.', {
    least: 1,
    broker: 'log.flush.interval.messages',
  }),
  number('long', 'flush.ms', LONG_MAX, 'After what time the log is flushed to the device.', {
    least: 0,
    unsetBroker: 'log.flush.interval.ms',
  }),
  flag('preallocate', 'Whether the file of a new segment gets its full size at once.', {
    broker: 'log.preallocate',
    isWithoutEffect: true,
  }),
]
