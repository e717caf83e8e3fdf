import { FIRST_NODE_ID, MAX_BROKERS } from '../cluster/nodes.ts'
import { RACK_AWARE } from '../settings/broker-settings.ts'
import { type BrokerConfig, dynamicSetting } from '../settings/dynamic-settings.ts'
import { SESSIONS, type SessionLimits } from '../settings/session-limits.ts'
import { settingProblem } from '../settings/setting.ts'
import { numberOf, type SettingType, typeProblem } from '../settings/setting-type.ts'
import type { Properties } from './environment-properties.ts'
import { isInEffect, typeOfProperty, wholeOf } from './security-properties.ts'

/** The options of the broker that properties can stand for. */
export interface PropertyOptions {
  readonly listeners?: string
  readonly advertisedListeners?: string
  readonly listenerSecurityProtocolMap?: string
  readonly defaultPartitions?: number
  readonly autoCreateTopics?: boolean
  readonly racks?: readonly string[]
  readonly dataDir?: string
  readonly cleanerBackoffMs?: number
  readonly flushMessages?: number
  readonly flushMs?: number
  readonly maxFrameBytes?: number
  readonly idleMs?: number
  readonly maxConnections?: number
}

/** The meaning of a broker's properties here. */
export interface BrokerProperties {
  /** The options that they stand for. */
  readonly options: PropertyOptions
  /** The settings that topics have by default. */
  readonly defaults: BrokerConfig
  /** How short and how long the sessions of members of classic groups may be. */
  readonly sessions: SessionLimits
  /** Leaders name the nearest replica to clients that say where they are. */
  readonly isRackAware: boolean
  /** The id of the first broker. */
  readonly firstNodeId: number
  /** The names of the properties that change nothing here: those that Apache Kafka has and this broker has not, and unknown ones. */
  readonly withoutEffect: readonly string[]
}

const INT_MAX = 2 ** 31 - 1
/** The first that is given counts. */
const NODE_IDS = ['node.id', 'broker.id'] as const
const REPLICA_SELECTOR = 'replica.selector.class'
const SESSION_LIMITS = { minMs: 'group.min.session.timeout.ms', maxMs: 'group.max.session.timeout.ms' } as const

interface Reading {
  /** The value as a whole number; another value is a problem. */
  whole(min: number, max?: number): number
  readonly values: Properties['values']
  readonly maxTopicPartitions: number
}

type OptionOf = (value: string, reading: Reading) => PropertyOptions

/** The controller is not a listener here: clients do not connect to it. */
const CONTROLLERS = 'controller.listener.names'

const OPTIONS: ReadonlyMap<string, OptionOf> = new Map<string, OptionOf>([
  ['listeners', (value, { values }) => ({ listeners: withoutControllers(value, values[CONTROLLERS]) })],
  [
    'advertised.listeners',
    (value, { values }) => ({ advertisedListeners: withoutControllers(value, values[CONTROLLERS]) }),
  ],
  ['listener.security.protocol.map', (value) => ({ listenerSecurityProtocolMap: value })],
  ['num.partitions', (_, { whole, maxTopicPartitions }) => ({ defaultPartitions: whole(1, maxTopicPartitions) })],
  ['auto.create.topics.enable', (value) => ({ autoCreateTopics: isTrue(value) })],
  ['broker.rack', (value) => ({ racks: [value] })],
  ['log.dirs', (value) => ({ dataDir: firstOf(value) })],
  ['log.dir', (value, { values }) => (values['log.dirs'] === undefined ? { dataDir: value } : {})],
  ['log.cleaner.backoff.ms', (value) => ({ cleanerBackoffMs: timerOf(value) })],
  ['log.flush.interval.messages', (value) => (isNever(value) ? {} : { flushMessages: numberOf(value) })],
  ['log.flush.interval.ms', (value) => (isNever(value) ? {} : { flushMs: numberOf(value) })],
  ['socket.request.max.bytes', (_, { whole }) => ({ maxFrameBytes: whole(1024) })],
  ['connections.max.idle.ms', (value) => ({ idleMs: numberOf(value) < 0 ? INT_MAX : timerOf(value) })],
  ['max.connections', (_, { whole }) => ({ maxConnections: Math.min(whole(1), 1_000_000) })],
])

/** Properties in milliseconds, and those in longer units that count where one is not given: the first that is. */
const UNITS = [
  { inMs: 'log.retention.ms', others: { 'log.retention.minutes': 60_000, 'log.retention.hours': 3_600_000 } },
  { inMs: 'log.roll.ms', others: { 'log.roll.hours': 3_600_000 } },
] as const
/** Properties that are read in another way than as an option or a default of topics. */
const IN_EFFECT: ReadonlySet<string> = new Set([
  CONTROLLERS,
  ...NODE_IDS,
  REPLICA_SELECTOR,
  ...Object.values(SESSION_LIMITS),
  ...UNITS.flatMap(({ others }) => Object.keys(others)),
])

/** Partitions of one topic at most, where no option says otherwise. */
export const MAX_TOPIC_PARTITIONS = 1000

/** Reads Apache Kafka's properties for this broker, and adds each wrong value to `problems`. */
export function readBrokerProperties(
  { values, nameOf }: Properties,
  problems: string[],
  { maxTopicPartitions = MAX_TOPIC_PARTITIONS }: { readonly maxTopicPartitions?: number | undefined } = {},
): BrokerProperties {
  let options: PropertyOptions = {}
  const defaults: Record<string, string> = {}
  const withoutEffect: string[] = []
  const sessions = readSessions({ values, nameOf }, problems)
  for (const [name, value] of Object.entries(values)) {
    const problem = problemOf(name, value)
    const optionOf = OPTIONS.get(name)
    if (problem !== undefined) {
      problems.push(`${nameOf(name)}: ${problem}`)
    } else if (optionOf !== undefined) {
      const whole = (min: number, max = INT_MAX) =>
        wholeOf({ name: nameOf(name), value: value.trim().replace(/^\+/, '') }, { min, max, absent: min }, problems)
      options = { ...options, ...optionOf(value.trim(), { whole, values, maxTopicPartitions }) }
    } else if (dynamicSetting(name)?.isWithoutEffect === false) {
      defaults[name] = value
    } else if (!IN_EFFECT.has(name) && !isInEffect(name)) {
      withoutEffect.push(name)
    }
  }
  const ofTopics = { ...inMilliseconds({ values, nameOf }, problems), ...defaults }
  return {
    options,
    defaults: ofTopics,
    sessions,
    isRackAware: readSelector({ values, nameOf }, problems),
    firstNodeId: readNodeId({ values, nameOf }, problems),
    withoutEffect,
  }
}

function readNodeId({ values, nameOf }: Properties, problems: string[]): number {
  const name = NODE_IDS.find((each) => values[each] !== undefined) ?? 'node.id'
  const value = values[name]?.trim()
  // Apache Kafka's default of broker.id.
  if (value === '-1' && name === 'broker.id') return FIRST_NODE_ID
  const max = INT_MAX - MAX_BROKERS
  return wholeOf({ name: nameOf(name), value }, { min: 0, max, absent: FIRST_NODE_ID }, problems)
}

function readSelector({ values, nameOf }: Properties, problems: string[]): boolean {
  const selector = values[REPLICA_SELECTOR]
  if (selector === undefined) return false
  if (selector.trim() !== RACK_AWARE)
    problems.push(`${nameOf(REPLICA_SELECTOR)} must be ${RACK_AWARE}; got ${selector}`)
  return true
}

function readSessions({ values, nameOf }: Properties, problems: string[]): SessionLimits {
  const limitOf = (name: string, absent: number) => {
    const value = values[name]
    if (value === undefined || problemOf(name, value) !== undefined) return absent
    return wholeOf({ name: nameOf(name), value: value.trim() }, { min: 1, max: INT_MAX, absent }, problems)
  }
  const maxMs = limitOf(SESSION_LIMITS.maxMs, SESSIONS.maxMs)
  const minMs = limitOf(SESSION_LIMITS.minMs, Math.min(SESSIONS.minMs, maxMs))
  if (minMs > maxMs) {
    const most = nameOf(SESSION_LIMITS.maxMs)
    problems.push(`${nameOf(SESSION_LIMITS.minMs)} must be at most ${most}, which is ${maxMs}; got ${minMs}`)
  }
  return { minMs, maxMs }
}

/** Converts properties in longer units to milliseconds, and keeps them; a negative number is -1, without a limit. */
function inMilliseconds({ values, nameOf }: Properties, problems: string[]): BrokerConfig {
  const config: Record<string, string> = {}
  for (const { inMs, others } of UNITS) {
    const [name, factor] = Object.entries(others).find(([each]) => values[each] !== undefined) ?? []
    const value = name === undefined ? undefined : values[name]
    if (name === undefined || value === undefined || typeof factor !== 'number') continue
    config[name] = value
    // Texts that are not numbers are reported already.
    if (values[inMs] !== undefined || problemOf(name, value) !== undefined) continue
    config[inMs] = String(Math.max(-1, numberOf(value) * factor))
    const problem = problemOf(inMs, config[inMs])
    if (problem !== undefined) problems.push(`${nameOf(name)}=${value}: ${problem}`)
  }
  return config
}

function problemOf(name: string, value: string): string | undefined {
  const setting = dynamicSetting(name)
  // Topics may have 0, but not brokers.
  if (name === 'log.retention.ms' && numberOf(value) === 0) {
    return `Invalid value 0 for configuration ${name}: Value must be -1 or at least 1`
  }
  if (setting !== undefined) return settingProblem(setting, value)
  const type = typeOfProperty(name)
  if (type === undefined || type === 'password' || type === 'class') return undefined
  // TLS and SASL check their own properties, but only where a listener needs them.
  if (isInEffect(name) && type !== 'int' && type !== 'long') return undefined
  const reason = typeProblem(type as SettingType, value)
  return reason && `Invalid value ${value} for configuration ${name}: ${reason}`
}

function isTrue(value: string): boolean {
  return value.toLowerCase() === 'true'
}

/** True for a number that is too large to be reached: Apache Kafka's default is the largest one. */
function isNever(value: string): boolean {
  return numberOf(value) > Number.MAX_SAFE_INTEGER
}

/** A time that timers can wait for. */
function timerOf(value: string): number {
  return Math.min(Math.max(numberOf(value), 1), INT_MAX)
}

/** Takes the first of several folders: this broker has one. */
function firstOf(value: string): string {
  return value.split(',')[0]?.trim() ?? value
}

/** Listeners by name, without those of the controller. */
export function withoutControllers(listeners: string, controllers = ''): string {
  if (controllers.trim() === '') return listeners
  const names = new Set(controllers.split(',').map((name) => name.trim().toUpperCase()))
  const isForClients = (listener: string) => !names.has(listener.split('://')[0]?.trim().toUpperCase() ?? '')
  return listeners.split(',').filter(isForClients).join(',')
}
