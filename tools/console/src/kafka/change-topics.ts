import { type Admin, ConfigResourceTypes } from '@taproom/kafkajs'
import { HttpProblem } from '@taproom/service'
import { topicConfig } from './topic-config.ts'
import { isInternal, offsetsOf } from './topics.ts'

/** Null gives an entry its default again. */
export type TopicConfig = Readonly<Record<string, string | null>>

export interface WantedTopic {
  readonly name: string
  /** Default: the broker's. */
  readonly partitions?: number | undefined
  /** Default: the broker's. */
  readonly replicationFactor?: number | undefined
  readonly config?: Readonly<Record<string, string>> | undefined
}

export interface TopicChanges {
  /** More than there are. */
  readonly partitions?: number | undefined
  /** Entries that are not named stay as they are. */
  readonly config?: TopicConfig | undefined
}

const TIMEOUT_MS = 4000

/** @throws {HttpProblem} 409 for a topic that is there */
export async function createTopic(admin: Admin, wanted: WantedTopic): Promise<void> {
  const { name, partitions, replicationFactor, config = {} } = wanted
  const isNew = await admin.createTopics({
    timeout: TIMEOUT_MS,
    topics: [
      {
        topic: name,
        configEntries: Object.entries(config).map(([entry, value]) => ({ name: entry, value })),
        ...(partitions !== undefined && { numPartitions: partitions }),
        ...(replicationFactor !== undefined && { replicationFactor }),
      },
    ],
  })
  if (!isNew) throw new HttpProblem(409, { detail: `topic ${name} already exists` })
}

/** @throws {HttpProblem} 404 for a topic that is not there, 403 for one of Kafka itself */
export async function changeTopic(admin: Admin, topic: string, { partitions, config }: TopicChanges): Promise<void> {
  await mustBeOpen(admin, topic)
  const set = config && (await setterOf(admin, topic, config))
  // Kafka has no request for both: a configuration that it refuses must not leave new partitions behind.
  await set?.({ validateOnly: true })
  if (partitions !== undefined) {
    await admin.createPartitions({ timeout: TIMEOUT_MS, topicPartitions: [{ topic, count: partitions }] })
  }
  await set?.({ validateOnly: false })
}

/** Kafka forgets the entries that a request does not name. */
async function setterOf(admin: Admin, topic: string, config: TopicConfig) {
  const known = (await topicConfig(admin, topic)).filter(({ isDefault }) => !isDefault)
  const wanted = { ...Object.fromEntries(known.map(({ name, value }) => [name, value])), ...config }
  const configEntries = Object.entries(wanted).flatMap(([name, value]) => (value === null ? [] : [{ name, value }]))
  const resources = [{ type: ConfigResourceTypes.TOPIC, name: topic, configEntries }]
  return async ({ validateOnly }: { readonly validateOnly: boolean }): Promise<void> => {
    await admin.alterConfigs({ validateOnly, resources })
  }
}

/** @throws {HttpProblem} 404 for a topic that is not there, 403 for one of Kafka itself */
export async function deleteTopic(admin: Admin, topic: string): Promise<void> {
  await mustBeOpen(admin, topic)
  await admin.deleteTopics({ topics: [topic], timeout: TIMEOUT_MS })
}

async function mustBeOpen(admin: Admin, topic: string): Promise<void> {
  await offsetsOf(admin, topic)
  if (isInternal(topic)) throw new HttpProblem(403, { detail: `topic ${topic} is internal to Kafka` })
}
