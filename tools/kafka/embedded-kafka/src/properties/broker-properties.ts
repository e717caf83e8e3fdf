import { type BrokerConfig, dynamicSetting } from '../settings/dynamic-settings.ts'
import { settingProblem } from '../settings/setting.ts'
import { type SettingType, typeProblem } from '../settings/setting-type.ts'
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
  /** The names of the properties that change nothing here: those that Apache Kafka has and this broker has not, and unknown ones. */
  readonly withoutEffect: readonly string[]
}

const INT_MAX = 2 ** 31 - 1

interface Reading {
  /** The value as a whole number; another value is a problem. */
  whole(min: number, max?: number): number
  readonly controllers: string | undefined
}

type OptionOf = (value: string, reading: Reading) => PropertyOptions

const OPTIONS: Readonly<Record<string, OptionOf>> = {
  listeners: (value, { controllers }) => ({ listeners: withoutControllers(value, controllers) }),
  'advertised.listeners': (value, { controllers }) => ({ advertisedListeners: withoutControllers(value, controllers) }),
  'listener.security.protocol.map': (value) => ({ listenerSecurityProtocolMap: value }),
  'num.partitions': (_, { whole }) => ({ defaultPartitions: whole(1) }),
  'auto.create.topics.enable': (value) => ({ autoCreateTopics: isTrue(value) }),
  'broker.rack': (value) => ({ racks: [value] }),
  'log.dirs': (value) => ({ dataDir: firstOf(value) }),
  'log.cleaner.backoff.ms': (_, { whole }) => ({ cleanerBackoffMs: whole(1) }),
  'log.flush.interval.messages': (_, { whole }) => ({ flushMessages: whole(1, Number.MAX_SAFE_INTEGER) }),
  'log.flush.interval.ms': (_, { whole }) => ({ flushMs: whole(0, Number.MAX_SAFE_INTEGER) }),
  'socket.request.max.bytes': (_, { whole }) => ({ maxFrameBytes: whole(1024) }),
  'connections.max.idle.ms': (_, { whole }) => ({ idleMs: whole(1) }),
  'max.connections': (_, { whole }) => ({ maxConnections: Math.min(whole(1), 1_000_000) }),
}

/** The controller is not a listener here: clients do not connect to it. */
const CONTROLLERS = 'controller.listener.names'

/** Properties in milliseconds, and those in longer units that count where one is not given: the first that is. */
const UNITS = [
  { inMs: 'log.retention.ms', others: { 'log.retention.minutes': 60_000, 'log.retention.hours': 3_600_000 } },
  { inMs: 'log.roll.ms', others: { 'log.roll.hours': 3_600_000 } },
] as const
const IN_LONGER_UNITS: ReadonlySet<string> = new Set(UNITS.flatMap(({ others }) => Object.keys(others)))

/** Reads Apache Kafka's properties for this broker, and adds each wrong value to `problems`. */
export function readBrokerProperties({ values, nameOf }: Properties, problems: string[]): BrokerProperties {
  let options: PropertyOptions = {}
  const defaults: Record<string, string> = {}
  const withoutEffect: string[] = []
  for (const [name, value] of Object.entries(values)) {
    const problem = problemOf(name, value)
    const optionOf = OPTIONS[name]
    if (problem !== undefined) {
      problems.push(`${nameOf(name)}: ${problem}`)
    } else if (optionOf !== undefined) {
      const whole = (min: number, max = INT_MAX) =>
        wholeOf({ name: nameOf(name), value: value.trim() }, { min, max, absent: min }, problems)
      options = { ...options, ...optionOf(value.trim(), { whole, controllers: values[CONTROLLERS] }) }
    } else if (dynamicSetting(name)?.isWithoutEffect === false) {
      defaults[name] = value
    } else if (name !== CONTROLLERS && !IN_LONGER_UNITS.has(name) && !isInEffect(name)) {
      withoutEffect.push(name)
    }
  }
  return { options, defaults: { ...inMilliseconds(values), ...defaults }, withoutEffect }
}

/** Converts properties in longer units to milliseconds; a negative number stays -1, without a limit. */
function inMilliseconds(values: Properties['values']): BrokerConfig {
  return Object.fromEntries(
    UNITS.flatMap(({ inMs, others }) => {
      const [name, factor] = Object.entries(others).find(([each]) => values[each] !== undefined) ?? []
      return name === undefined ? [] : [[inMs, String(Math.max(-1, Number(values[name]) * (factor ?? 1)))]]
    }),
  )
}

function problemOf(name: string, value: string): string | undefined {
  // TLS, SASL and the authorizer check their own properties.
  if (isInEffect(name)) return undefined
  const setting = dynamicSetting(name)
  if (setting !== undefined) return settingProblem(setting, value)
  const type = typeOfProperty(name)
  if (type === undefined || type === 'password' || type === 'class') return undefined
  const reason = typeProblem(type as SettingType, value)
  return reason && `Invalid value ${value} for configuration ${name}: ${reason}`
}

function isTrue(value: string): boolean {
  return value.toLowerCase() === 'true'
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
