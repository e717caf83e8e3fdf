import type { BrokerSetting } from '../../settings/broker-settings.ts'
import { type BrokerConfig, dynamicSetting } from '../../settings/dynamic-settings.ts'
import { GROUP_SETTINGS, type GroupConfig, groupSetting } from '../../settings/group-settings.ts'
import type { Setting } from '../../settings/setting.ts'
import { SETTING_TYPES } from '../../settings/setting-type.ts'
import { settingValue, TOPIC_SETTINGS, type TopicConfig } from '../../settings/topic-settings.ts'

/** The protocol's numbers for the source of a value. */
const SOURCE = { topic: 1, broker: 2, allBrokers: 3, staticBroker: 4, default: 5, group: 8 } as const

interface Synonym {
  readonly name: string
  readonly value: string | null
  readonly source: number
}

/** What a setting may have besides its value, when a client asks for it. */
export interface EntryDetails {
  readonly synonyms: boolean
  readonly documentation: boolean
}

/** What brokers were given while they ran. */
export interface Dynamic {
  /** The broker that is asked. */
  readonly own: BrokerConfig
  /** All of them together. */
  readonly common: BrokerConfig
  /** The values at the start, for settings of topics only. Default: none. */
  readonly started?: BrokerConfig
}

const NOTHING: Dynamic = { own: {}, common: {} }

function dynamicSynonyms(name: string, { own, common, started = {} }: Dynamic): readonly Synonym[] {
  const from = (config: BrokerConfig, source: number) =>
    Object.hasOwn(config, name) ? [{ name, value: config[name] ?? null, source }] : []
  return [...from(own, SOURCE.broker), ...from(common, SOURCE.allBrokers), ...from(started, SOURCE.staticBroker)]
}

/** A value of the broker and, where it was started with another than Apache Kafka's, that one, too. */
function brokerSynonyms(name: string, value: string | null, standard: string | null): readonly Synonym[] {
  if (value === null) return []
  if (value === standard) return [{ name, value, source: SOURCE.default }]
  const set = { name, value, source: SOURCE.staticBroker }
  return standard === null || standard === '' ? [set] : [set, { name, value: standard, source: SOURCE.default }]
}

function synonymsOf(
  { name, broker, fallback, standard = fallback }: Setting,
  config: TopicConfig | GroupConfig,
  source: number,
  dynamic = NOTHING,
): Synonym[] {
  const given = Object.hasOwn(config, name) ? config[name] : undefined
  const own = given === undefined ? [] : [{ name, value: given, source }]
  if (!broker) return own
  const isStarted = Object.hasOwn(dynamic.started ?? {}, broker.name)
  return [
    ...own,
    ...dynamicSynonyms(broker.name, dynamic),
    ...brokerSynonyms(broker.name, broker.isUnset ? null : isStarted ? standard : fallback, standard),
  ]
}

function entry(
  setting: Setting | BrokerSetting,
  value: string | null,
  synonyms: readonly Synonym[],
  details: EntryDetails,
) {
  const configSource = synonyms[0]?.source ?? SOURCE.default
  return {
    name: setting.name,
    value,
    isDefault: configSource === SOURCE.default,
    configSource,
    configType: SETTING_TYPES[setting.type],
    synonyms: details.synonyms ? synonyms : [],
    documentation: details.documentation ? setting.documentation : null,
  }
}

function topicEntry(setting: Setting, config: TopicConfig, details: EntryDetails, dynamic = NOTHING) {
  const synonyms = synonymsOf(setting, config, SOURCE.topic, dynamic)
  const value = synonyms[0]?.value ?? settingValue(config, setting.name)
  return { ...entry(setting, value, synonyms, details), readOnly: false }
}

const NO_DETAILS: EntryDetails = { synonyms: false, documentation: false }
const EVERY_DETAIL = [false, true].flatMap((synonyms) =>
  [false, true].map((documentation) => ({ synonyms, documentation })),
)
/** The entries of settings that a topic was not given, by what they show: the same for all topics, and in memory once. */
const DEFAULTS = EVERY_DETAIL.map((details) => ({
  ...details,
  entries: new Map(TOPIC_SETTINGS.map((setting) => [setting.name, topicEntry(setting, {}, details)])),
}))

/** All settings of a topic: its own, and the defaults of the others. */
export function topicEntries(config: TopicConfig, details = NO_DETAILS, dynamic = NOTHING) {
  const { synonyms, documentation } = details
  const defaults = DEFAULTS.find((each) => each.synonyms === synonyms && each.documentation === documentation)
  return TOPIC_SETTINGS.flatMap((setting) => {
    if (Object.hasOwn(config, setting.name)) return [topicEntry(setting, config, details, dynamic)]
    if (setting.broker && dynamicSynonyms(setting.broker.name, dynamic).length > 0) {
      return [topicEntry(setting, config, details, dynamic)]
    }
    return setting.isInternal ? [] : (defaults?.entries.get(setting.name) ?? [])
  })
}

/** All settings of a group. */
export function groupEntries(config: GroupConfig, details: EntryDetails) {
  return GROUP_SETTINGS.map((setting) => {
    const synonyms = synonymsOf(setting, config, SOURCE.group)
    return { ...entry(setting, groupSetting(config, setting.name), synonyms, details), readOnly: false }
  })
}

/** All settings of the broker. */
export function brokerEntries(settings: readonly BrokerSetting[], dynamic: Dynamic, details: EntryDetails) {
  const listed = settings.map((setting) => {
    const { name, value, standard } = setting
    const synonyms = [...dynamicSynonyms(name, dynamic), ...brokerSynonyms(name, value, standard)]
    const isFixed = dynamicSetting(name) === undefined
    return { ...entry(setting, synonyms[0]?.value ?? value, synonyms, details), readOnly: isFixed }
  })
  const known = new Set(settings.map(({ name }) => name))
  return [...listed, ...dynamicEntries(dynamic, details).filter(({ name }) => !known.has(name))]
}

/** What brokers were given while they ran, without the values behind it. */
export function dynamicEntries(dynamic: Dynamic, details: EntryDetails) {
  const names = new Set([...Object.keys(dynamic.own), ...Object.keys(dynamic.common)])
  return [...names].flatMap((name) => {
    const [setting, synonyms] = [dynamicSetting(name), dynamicSynonyms(name, dynamic)]
    return setting ? [{ ...entry(setting, synonyms[0]?.value ?? null, synonyms, details), readOnly: false }] : []
  })
}
