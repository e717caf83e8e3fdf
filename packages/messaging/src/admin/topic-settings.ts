import { type Admin, ConfigResourceTypes, ConfigSource, type IResourceConfigEntry } from '@taproom/kafkajs'

/** Settings of a topic. Default: the broker's. */
export interface TopicSettings {
  /** The largest record batch in bytes: Kafka's `max.message.bytes`. An existing topic with a lower value is changed. */
  readonly maxMessageBytes?: number
}

const MAX_MESSAGE_BYTES = 'max.message.bytes'

/** The settings by Kafka's names. */
export function configEntries({ maxMessageBytes }: TopicSettings): IResourceConfigEntry[] {
  return maxMessageBytes === undefined ? [] : [{ name: MAX_MESSAGE_BYTES, value: String(maxMessageBytes) }]
}

/** Raises the settings of an existing topic that are lower. */
export async function extendTopic(admin: Admin, topic: string, { maxMessageBytes }: TopicSettings): Promise<void> {
  if (maxMessageBytes === undefined) return
  const type = ConfigResourceTypes.TOPIC
  const { resources } = await admin.describeConfigs({ resources: [{ type, name: topic }], includeSynonyms: false })
  const current = resources[0]?.configEntries ?? []
  const limit = current.find(({ configName }) => configName === MAX_MESSAGE_BYTES)?.configValue
  if (Number(limit) >= maxMessageBytes) return
  // kafkajs can only replace all settings of a topic, so its present ones are sent too.
  const own = current
    .filter(
      ({ configSource, configName }) => configSource === ConfigSource.TOPIC_CONFIG && configName !== MAX_MESSAGE_BYTES,
    )
    .map(({ configName, configValue }) => ({ name: configName, value: configValue }))
  const entries = [...own, ...configEntries({ maxMessageBytes })]
  await admin.alterConfigs({ validateOnly: false, resources: [{ type, name: topic, configEntries: entries }] })
}
