import { type Admin, ConfigResourceTypes, ConfigSource } from '@taproom/kafkajs'
import type { ConfigEntry } from '../api/kafka.ts'
import { offsetsOf } from './topics.ts'

/**
 * The configuration of a topic, by name.
 * @throws {HttpProblem} 404 for a topic that is not there
 */
export async function topicConfig(admin: Admin, topic: string): Promise<ConfigEntry[]> {
  await offsetsOf(admin, topic)
  const resources = [{ type: ConfigResourceTypes.TOPIC, name: topic }]
  const answer = await admin.describeConfigs({ includeSynonyms: false, resources })
  const entries = answer.resources.flatMap(({ configEntries }) => configEntries)
  return entries
    .map(({ configName, configValue, configSource, isSensitive }) => ({
      name: configName,
      value: isSensitive ? null : configValue,
      isDefault: configSource !== ConfigSource.TOPIC_CONFIG,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
