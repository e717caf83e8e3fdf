import { configValue, TOPIC_CONFIG_KEYS, type TopicConfig } from '../../topics/topic-config.ts'

/** The protocol's numbers for the source of a value. */
const SOURCE = { topic: 1, default: 5 } as const

/** All settings of a topic: its own, and the defaults of the others. */
export function configEntries(config: TopicConfig) {
  return TOPIC_CONFIG_KEYS.map(({ name, type }) => ({
    name,
    value: configValue(config, name),
    readOnly: false,
    isDefault: config[name] === undefined,
    configSource: config[name] === undefined ? SOURCE.default : SOURCE.topic,
    configType: type,
  }))
}
