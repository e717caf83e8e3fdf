import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { number, type Setting, settingProblem } from './setting.ts'
import { MAX_CHARACTERS, TOPIC_SETTINGS } from './topic-settings.ts'

/** The settings that a broker, or all of them together, were given while they ran; all others are as they were started. */
export type BrokerConfig = Readonly<Record<string, string>>

const LONG_MAX = '9223372036854775807'
const NO_EFFECT = { isWithoutEffect: true } as const

/** Kept and reported; nothing here goes by them. */
export const IDLE_SETTINGS: readonly Setting[] = [
  number('int', 'log.cleaner.threads', '1', 'Threads that compact logs.', { ...NO_EFFECT, least: 0 }),
  number('int', 'log.cleaner.io.buffer.size', '524288', 'Buffers of those threads.', { ...NO_EFFECT, least: 0 }),
  number('long', 'log.cleaner.dedupe.buffer.size', '134217728', 'What they remember keys in.', NO_EFFECT),
  number('double', 'log.cleaner.io.max.bytes.per.second', '1.7976931348623157E308', 'How fast they are.', NO_EFFECT),
  number('int', 'num.io.threads', '8', 'Threads that answer requests.', { ...NO_EFFECT, least: 1 }),
  number('int', 'num.network.threads', '3', 'Threads that read requests.', { ...NO_EFFECT, least: 1 }),
  number('int', 'num.replica.fetchers', '1', 'Threads that copy from leaders.', NO_EFFECT),
  number('int', 'num.recovery.threads.per.data.dir', '2', 'Threads that recover logs.', { ...NO_EFFECT, least: 1 }),
  number('int', 'background.threads', '10', 'Threads for everything else.', { ...NO_EFFECT, least: 1 }),
]

/** The same, and not shown before they are given. */
const THROTTLES: readonly Setting[] = [
  'leader.replication.throttled.rate',
  'follower.replication.throttled.rate',
  'replica.alter.log.dirs.io.max.bytes.per.second',
].map((name) =>
  number('long', name, LONG_MAX, 'How many bytes a second are copied of throttled replicas.', {
    ...NO_EFFECT,
    least: 0,
  }),
)

/** How long the cleaner of compacted topics rests between two rounds. */
export const CLEANER_BACKOFF = 'log.cleaner.backoff.ms'

const OF_TOPICS = TOPIC_SETTINGS.flatMap((setting) =>
  setting.broker === undefined ? [] : [{ ...setting, name: setting.broker.name, topic: setting.name }],
)

const byName: ReadonlyMap<string, Setting> = new Map(
  [
    ...OF_TOPICS,
    ...IDLE_SETTINGS,
    ...THROTTLES,
    number('long', CLEANER_BACKOFF, '15000', 'How long the cleaner rests between two rounds.', { least: 0 }),
  ].map((setting) => [setting.name, setting]),
)

/** A setting of brokers that can be changed while they run; undefined where it cannot. */
export function dynamicSetting(name: string): Setting | undefined {
  return byName.get(name)
}

/** What topics have that were not given something else. */
export function topicDefaults(config: BrokerConfig): Readonly<Record<string, string>> {
  return Object.fromEntries(
    OF_TOPICS.flatMap(({ name, topic }) => (Object.hasOwn(config, name) ? [[topic, config[name] ?? '']] : [])),
  )
}

/** @throws {ProtocolError} INVALID_REQUEST for settings that cannot be changed, INVALID_CONFIG for a wrong value */
export function checkBrokerConfig(config: BrokerConfig): void {
  const fixed = Object.keys(config).filter((name) => !byName.has(name))
  if (fixed.length > 0) {
    const message = `Cannot update these configs dynamically: Set(${fixed.join(', ')})`
    throw new ProtocolError(ErrorCode.INVALID_REQUEST, message)
  }
  for (const [name, value] of Object.entries(config)) {
    const setting = byName.get(name)
    const problem = setting && settingProblem(setting, value)
    const most = MAX_CHARACTERS[setting?.type === 'list' ? 'list' : 'other']
    if (problem !== undefined) throw new ProtocolError(ErrorCode.INVALID_REQUEST, problem)
    if (value.length > most) {
      throw new ProtocolError(ErrorCode.INVALID_REQUEST, `${name} has more than ${most} characters`)
    }
  }
}
