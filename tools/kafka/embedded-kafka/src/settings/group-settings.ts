import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { number, type Setting, settingProblem } from './setting.ts'
import { numberOf } from './setting-type.ts'
import { SHARE, SHARE_SETTINGS } from './share-settings.ts'

/** The settings that a group was given; all others have their defaults. */
export type GroupConfig = Readonly<Record<string, string>>

const SESSION_TIMEOUT = 'consumer.session.timeout.ms'
const HEARTBEAT_INTERVAL = 'consumer.heartbeat.interval.ms'
/** Apache Kafka's are 45 s to 60 s and 5 s to 15 s; tests need less. */
const RANGE = { least: 1, most: 1_800_000 } as const

/** The settings of groups of the newer protocol (KIP-848), and of share groups (KIP-932). */
export const GROUP_SETTINGS: readonly Setting[] = [
  number('int', HEARTBEAT_INTERVAL, '5000', 'How often members are to be heard of, in milliseconds.', {
    ...RANGE,
    broker: 'group.consumer.heartbeat.interval.ms',
  }),
  number('int', SESSION_TIMEOUT, '45000', 'After how many milliseconds a member that is not heard of is out.', {
    ...RANGE,
    broker: 'group.consumer.session.timeout.ms',
  }),
  ...SHARE_SETTINGS,
]

const byName: ReadonlyMap<string, Setting> = new Map(GROUP_SETTINGS.map((setting) => [setting.name, setting]))

/** In milliseconds. */
export interface GroupTimes {
  readonly sessionTimeoutMs: number
  readonly heartbeatIntervalMs: number
}

/** The value that a group has, given or default. */
export function groupSetting(config: GroupConfig, name: string): string {
  return (Object.hasOwn(config, name) ? config[name] : undefined) ?? byName.get(name)?.fallback ?? ''
}

export function groupTimes(config: GroupConfig): GroupTimes {
  return timesOf(config, SESSION_TIMEOUT, HEARTBEAT_INTERVAL)
}

export function shareGroupTimes(config: GroupConfig): GroupTimes {
  return timesOf(config, SHARE.sessionTimeout, SHARE.heartbeatInterval)
}

function timesOf(config: GroupConfig, sessionTimeout: string, heartbeatInterval: string): GroupTimes {
  return {
    sessionTimeoutMs: numberOf(groupSetting(config, sessionTimeout)),
    heartbeatIntervalMs: numberOf(groupSetting(config, heartbeatInterval)),
  }
}

/** What share groups go by. */
export interface ShareRules {
  readonly recordLockMs: number
  /** `earliest`, `latest`, or `by_duration:` and a duration. */
  readonly reset: string
  readonly isolation: 'read_committed' | 'read_uncommitted'
}

export function shareRules(config: GroupConfig): ShareRules {
  const isCommitted = groupSetting(config, SHARE.isolation).trim() === 'read_committed'
  return {
    recordLockMs: numberOf(groupSetting(config, SHARE.recordLock)),
    reset: groupSetting(config, SHARE.reset),
    isolation: isCommitted ? 'read_committed' : 'read_uncommitted',
  }
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.INVALID_CONFIG, message)
}

/** @throws {ProtocolError} INVALID_CONFIG when a name is unknown, a value wrong or a session as short as the time between heartbeats */
export function checkGroupConfig(config: GroupConfig): void {
  for (const [name, value] of Object.entries(config)) {
    const setting = byName.get(name)
    if (!setting) throw invalid(`Unknown group config name: ${name}`)
    const problem = settingProblem(setting, value)
    if (problem !== undefined) throw invalid(problem)
  }
  for (const [timeout, interval] of [
    [SESSION_TIMEOUT, HEARTBEAT_INTERVAL],
    [SHARE.sessionTimeout, SHARE.heartbeatInterval],
  ] as const) {
    const { sessionTimeoutMs, heartbeatIntervalMs } = timesOf(config, timeout, interval)
    if (sessionTimeoutMs <= heartbeatIntervalMs) throw invalid(`${timeout} must be greater than ${interval}`)
  }
}
