import type { LogLimits } from '../log/partition-log.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'

/** The protocol's numbers for the types of configuration values. */
const ConfigType = { string: 2, int: 3, long: 5, list: 7 } as const

interface ConfigKey {
  readonly name: string
  readonly fallback: string
  readonly type: number
  readonly accepts: RegExp
  readonly least?: number
  readonly most?: number
}

const WHOLE = /^\d{1,15}$/
const WHOLE_OR_UNLIMITED = /^(-1|\d{1,15})$/

/** Checking a larger batch would keep other clients waiting. */
const MAX_MESSAGE_BYTES = 2_097_152
/** A segment is a file, or a buffer: large enough for many batches, small enough for memory. */
const SEGMENT_BYTES = { least: 1024, most: 1_073_741_824 } as const

/** All settings of a topic. Those with only one possible value are there because clients ask for them. */
export const TOPIC_CONFIG_KEYS: readonly ConfigKey[] = [
  {
    name: 'cleanup.policy',
    fallback: 'delete',
    type: ConfigType.list,
    accepts: /^delete$/,
  },
  { name: 'compression.type', fallback: 'producer', type: ConfigType.string, accepts: /^producer$/ },
  { name: 'max.message.bytes', fallback: '1048588', type: ConfigType.int, accepts: WHOLE, most: MAX_MESSAGE_BYTES },
  { name: 'message.timestamp.type', fallback: 'CreateTime', type: ConfigType.string, accepts: /^CreateTime$/ },
  { name: 'min.insync.replicas', fallback: '1', type: ConfigType.int, accepts: /^1$/ },
  { name: 'retention.bytes', fallback: '-1', type: ConfigType.long, accepts: WHOLE_OR_UNLIMITED },
  { name: 'retention.ms', fallback: '604800000', type: ConfigType.long, accepts: WHOLE_OR_UNLIMITED },
  { name: 'segment.bytes', fallback: '67108864', type: ConfigType.int, accepts: WHOLE, ...SEGMENT_BYTES },
]

/** The settings that a topic was given; all others have their defaults. */
export type TopicConfig = Readonly<Record<string, string>>

/** @throws {ProtocolError} INVALID_CONFIG when a setting or value is not in the table */
export function checkTopicConfig(name: string, value: string): void {
  const key = TOPIC_CONFIG_KEYS.find((each) => each.name === name)
  if (!key) throw new ProtocolError(ErrorCode.INVALID_CONFIG, `Unknown topic config name: ${name}`)
  const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY } = key
  if (!key.accepts.test(value) || Number(value) < least || Number(value) > most) {
    throw new ProtocolError(ErrorCode.INVALID_CONFIG, `Invalid value ${value} for configuration ${name}`)
  }
}

export function configValue(config: TopicConfig, name: string): string {
  return config[name] ?? TOPIC_CONFIG_KEYS.find((key) => key.name === name)?.fallback ?? ''
}

export function logLimits(config: TopicConfig): LogLimits {
  return {
    segmentBytes: Number(configValue(config, 'segment.bytes')),
    retentionMs: Number(configValue(config, 'retention.ms')),
    retentionBytes: Number(configValue(config, 'retention.bytes')),
  }
}
