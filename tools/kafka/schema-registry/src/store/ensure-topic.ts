import { ConfigResourceTypes, type Kafka } from '@taproom/kafkajs'
import { SchemaTopicError } from '../errors.ts'

const CLEANUP_POLICY = 'cleanup.policy'

/**
 * Creates the topic with one partition that is compacted, unless it is there.
 * @throws {SchemaTopicError} when it is there and is not like that: then schemas would be lost or out of order
 */
export async function ensureTopic(kafka: Kafka, topic: string): Promise<void> {
  const admin = kafka.admin()
  await admin.connect()
  try {
    const configEntries = [{ name: CLEANUP_POLICY, value: 'compact' }]
    const isNew = await admin.createTopics({
      topics: [{ topic, numPartitions: 1, configEntries }],
      waitForLeaders: true,
    })
    if (isNew) return
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
    const partitions = topics[0]?.partitions.length
    if (partitions !== 1) throw new SchemaTopicError(`topic ${topic} must have one partition, it has ${partitions}`)
    const { resources } = await admin.describeConfigs({
      resources: [{ type: ConfigResourceTypes.TOPIC, name: topic, configNames: [CLEANUP_POLICY] }],
      includeSynonyms: false,
    })
    const policy = resources[0]?.configEntries.find(({ configName }) => configName === CLEANUP_POLICY)?.configValue
    if (policy !== 'compact') {
      throw new SchemaTopicError(`${CLEANUP_POLICY} of topic ${topic} must be compact, it is ${policy}`)
    }
  } finally {
    await admin.disconnect()
  }
}
