import { GROUP_SETTINGS } from './group-settings.ts'
import type { SettingType } from './setting-type.ts'
import { TOPIC_SETTINGS } from './topic-settings.ts'

/** A setting of the broker, which cannot be changed while it runs. */
export interface BrokerSetting {
  readonly name: string
  readonly type: SettingType
  readonly value: string | null
  /** Apache Kafka's default. */
  readonly standard: string | null
  readonly documentation: string
}

/** Sessions of consumers that are kept (KIP-227). */
export const FETCH_SESSION_SLOTS = 1000

/** What the broker was started with. */
export interface BrokerFacts {
  readonly nodeId: number
  readonly defaultPartitions: number
  readonly autoCreateTopics: boolean
  readonly cleanerBackoffMs: number
}

function own(
  name: string,
  type: SettingType,
  value: string | number | boolean,
  standard: string,
  documentation: string,
): BrokerSetting {
  return { name, type, value: String(value), standard, documentation }
}

/** The defaults of topics under the names that brokers have for them, and what tools ask a broker for. */
export function brokerSettings(facts: BrokerFacts): readonly BrokerSetting[] {
  const ofTopics = [...TOPIC_SETTINGS, ...GROUP_SETTINGS].flatMap(
    ({ broker, type, fallback, standard = fallback, documentation }) => {
      if (!broker) return []
      const value = broker.isUnset ? null : fallback
      return [{ name: broker.name, type, value, standard: broker.isUnset ? null : standard, documentation }]
    },
  )
  const hours = 'The same in hours, used where the one in milliseconds is not set.'
  const { nodeId, defaultPartitions, autoCreateTopics, cleanerBackoffMs } = facts
  return [
    ...ofTopics,
    own('log.retention.hours', 'int', 168, '168', hours),
    own('log.roll.hours', 'int', 168, '168', hours),
    own('log.roll.jitter.hours', 'int', 0, '0', hours),
    own('log.cleaner.enable', 'boolean', true, 'true', 'Whether logs are compacted.'),
    own('log.cleaner.backoff.ms', 'long', cleanerBackoffMs, '15000', 'How long the cleaner rests between two rounds.'),
    own('node.id', 'int', nodeId, '', 'The number of this broker.'),
    own('broker.id', 'int', nodeId, '-1', 'The number of this broker.'),
    own('num.partitions', 'int', defaultPartitions, '1', 'Partitions of topics that are created without a number.'),
    own('default.replication.factor', 'int', 1, '1', 'Replicas of topics that are created without a number.'),
    own('auto.create.topics.enable', 'boolean', autoCreateTopics, 'true', 'Whether asking for a topic creates it.'),
    own('delete.topic.enable', 'boolean', true, 'true', 'Whether topics can be deleted.'),
    own(
      'max.incremental.fetch.session.cache.slots',
      'int',
      FETCH_SESSION_SLOTS,
      '1000',
      'How many fetch sessions are kept at most.',
    ),
    own(
      'group.coordinator.rebalance.protocols',
      'list',
      'classic,consumer',
      'classic,consumer,streams',
      'Protocols of groups.',
    ),
    own('group.consumer.assignors', 'list', 'uniform,range', 'uniform,range', 'Who gives partitions to members.'),
    own(
      'group.consumer.migration.policy',
      'string',
      'disabled',
      'bidirectional',
      'Groups without members change their protocol, others do not.',
    ),
    own('offsets.topic.replication.factor', 'short', 1, '3', 'Replicas of committed offsets.'),
    own('transaction.state.log.replication.factor', 'short', 1, '3', 'Replicas of the state of transactions.'),
  ]
}
