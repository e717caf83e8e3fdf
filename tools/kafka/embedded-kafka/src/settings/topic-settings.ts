import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { CLEANING_SETTINGS } from './cleaning-settings.ts'
import { LOG_SETTINGS } from './log-settings.ts'
import { MESSAGE_SETTINGS } from './message-settings.ts'
import { REPLICATION_SETTINGS } from './replication-settings.ts'
import { type Setting, settingProblem } from './setting.ts'
import { numberOf } from './setting-type.ts'

/** Every setting of topics in Apache Kafka 4.1. */
export const TOPIC_SETTINGS: readonly Setting[] = [
  ...LOG_SETTINGS,
  ...CLEANING_SETTINGS,
  ...MESSAGE_SETTINGS,
  ...REPLICATION_SETTINGS,
]

const byName: ReadonlyMap<string, Setting> = new Map(TOPIC_SETTINGS.map((setting) => [setting.name, setting]))
/** Lists could grow with every request that appends to them; a number could have any number of spaces around it. */
export const MAX_CHARACTERS = { list: 4096, other: 64 } as const

/** The settings that a topic was given; all others have their defaults. */
export type TopicConfig = Readonly<Record<string, string>>

export function topicSetting(name: string): Setting | undefined {
  return byName.get(name)
}

/** The value that a topic has, given or default. */
export function settingValue(config: TopicConfig, name: string): string {
  return (Object.hasOwn(config, name) ? config[name] : undefined) ?? byName.get(name)?.fallback ?? ''
}

/** Like {@link settingValue}, as a number; a value that is none, from an older version, is the default. */
export function settingNumber(config: TopicConfig, name: string): number {
  const given = numberOf(settingValue(config, name))
  return Number.isNaN(given) ? numberOf(byName.get(name)?.fallback ?? '') : given
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.INVALID_CONFIG, message)
}

function checkSetting(name: string, value: string): void {
  const setting = byName.get(name)
  if (!setting) throw invalid(`Unknown topic config name: ${name}`)
  const problem = settingProblem(setting, value)
  if (problem !== undefined) throw invalid(problem)
  const most = MAX_CHARACTERS[setting.type === 'list' ? 'list' : 'other']
  if (value.length > most) throw invalid(`The value for configuration ${name} has more than ${most} characters`)
}

/** @throws {ProtocolError} INVALID_CONFIG, with Apache Kafka's words, when a name is unknown, a value wrong or two contradict each other */
export function checkTopicConfig(config: TopicConfig): void {
  for (const name of Object.keys(config)) {
    if (!byName.has(name)) throw invalid(`Unknown topic config name: ${name}`)
  }
  for (const [name, value] of Object.entries(config)) checkSetting(name, value)
  const [least, most] = ['min.compaction.lag.ms', 'max.compaction.lag.ms'].map((name) => settingNumber(config, name))
  if (least !== undefined && most !== undefined && least > most) {
    throw invalid(`conflict topic config setting min.compaction.lag.ms (${least}) > max.compaction.lag.ms (${most})`)
  }
  if (settingValue(config, 'remote.storage.enable').trim().toLowerCase() === 'true') {
    const disabled = 'Tiered Storage functionality is disabled in the broker.'
    throw invalid(`${disabled} Topic cannot be configured with remote log storage.`)
  }
}
