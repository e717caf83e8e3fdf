import { durationMs } from './duration.ts'
import { choice, number, type Setting, text } from './setting.ts'

/** The names of the settings of share groups (KIP-932). */
export const SHARE = {
  heartbeatInterval: 'share.heartbeat.interval.ms',
  sessionTimeout: 'share.session.timeout.ms',
  recordLock: 'share.record.lock.duration.ms',
  reset: 'share.auto.offset.reset',
  isolation: 'share.isolation.level',
} as const

/** As Apache Kafka's group.share.delivery.count.limit and group.share.partition.max.record.locks. */
export const MAX_DELIVERIES = 5
export const MAX_IN_FLIGHT = 2000
/** As its group.share.max.size, and group.share.max.share.sessions of a broker. */
export const MAX_SHARE_GROUP_MEMBERS = 200
export const SHARE_SESSION_SLOTS = 2000

export const BY_DURATION = 'by_duration:'
/** As those of other groups: Apache Kafka's are 45 s to 60 s and 5 s to 15 s. */
const RANGE = { least: 1, most: 1_800_000 } as const

function isReset(value: string): boolean {
  if (value === 'earliest' || value === 'latest') return true
  return value.startsWith(BY_DURATION) && durationMs(value.slice(BY_DURATION.length)) !== undefined
}

function resetProblem(value: string) {
  if (isReset(value)) return undefined
  const expected = "The value must be either 'earliest', 'latest' or of the format 'by_duration:<PnDTnHnMn.nS>'."
  return { value, reason: `Invalid value \`${value}\` for configuration ${SHARE.reset}. ${expected}` }
}

export const SHARE_SETTINGS: readonly Setting[] = [
  number('int', SHARE.heartbeatInterval, '5000', 'How often members are to be heard of, in milliseconds.', {
    ...RANGE,
    broker: 'group.share.heartbeat.interval.ms',
  }),
  number('int', SHARE.sessionTimeout, '45000', 'After how many milliseconds a member that is not heard of is out.', {
    ...RANGE,
    broker: 'group.share.session.timeout.ms',
  }),
  number('int', SHARE.recordLock, '30000', 'For how many milliseconds a member has the records that it was given.', {
    least: 1000,
    most: 3_600_000,
    broker: 'group.share.record.lock.duration.ms',
  }),
  text(SHARE.reset, 'latest', 'Where a group begins to read: earliest, latest, or by_duration: and how long ago.', {
    problem: resetProblem,
  }),
  choice(
    SHARE.isolation,
    'read_uncommitted',
    'Whether records of transactions are delivered before they are committed.',
    {
      values: ['read_committed', 'read_uncommitted'],
    },
  ),
]
