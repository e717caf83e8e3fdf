import type { FlushLimits } from '../storage/flushing.ts'
import { type BrokerConfig, IDLE_SETTINGS } from './dynamic-settings.ts'
import { GROUP_SETTINGS } from './group-settings.ts'
import { SESSIONS, type SessionLimits } from './session-limits.ts'
import type { SettingType } from './setting-type.ts'
import { MAX_DELIVERIES, MAX_IN_FLIGHT, MAX_SHARE_GROUP_MEMBERS, SHARE_SESSION_SLOTS } from './share-settings.ts'
import { TOPIC_SETTINGS } from './topic-settings.ts'

/** A setting of the broker, as it was started. */
export interface BrokerSetting {
  readonly name: string
  readonly type: SettingType
  readonly value: string | null
  /** Apache Kafka's default. */
  readonly standard: string | null
  readonly documentation: string
}

/** The class of Apache Kafka by which leaders name the nearest replica. */
export const RACK_AWARE = 'org.apache.kafka.common.replica.RackAwareReplicaSelector'

/** Sessions of consumers that are kept (KIP-227). */
export const FETCH_SESSION_SLOTS = 1000

/** What the broker was started with. */
export interface BrokerFacts {
  readonly nodeId: number
  readonly rack: string | null
  /** Replicas of topics that are created without a number. */
  readonly defaultFactor: number
  readonly defaultPartitions: number
  readonly autoCreateTopics: boolean
  readonly cleanerBackoffMs: number
  readonly flush?: FlushLimits
  /** The defaults of topics that the broker was started with. */
  readonly started?: BrokerConfig
  readonly sessions?: SessionLimits
  readonly isRackAware?: boolean
}

/** What the broker was given in place of Apache Kafka's default, by name; nothing of what it was not given. */
function given({ flush, started = {} }: BrokerFacts): ReadonlyMap<string, string> {
  const flushing = [
    ['log.flush.interval.messages', flush?.everyCount],
    ['log.flush.interval.ms', flush?.everyMs],
  ] as const
  const limits = flushing.flatMap(([name, value]) => (Number.isFinite(value) ? [[name, String(value)] as const] : []))
  return new Map([...limits, ...Object.entries(started)])
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

const IDLE = IDLE_SETTINGS.map(({ name, type, fallback, documentation }) =>
  own(name, type, fallback, fallback, documentation),
)

/** The settings for clients: how long they may be silent, and where they read. */
function clientSettings(facts: BrokerFacts): readonly BrokerSetting[] {
  const { sessions: { minMs, maxMs } = SESSIONS, isRackAware = false } = facts
  const [least, most] = [String(SESSIONS.minMs), String(SESSIONS.maxMs)]
  return [
    own('group.min.session.timeout.ms', 'int', minMs, least, 'The shortest session of members of classic groups.'),
    own('group.max.session.timeout.ms', 'int', maxMs, most, 'The longest session of members of classic groups.'),
    {
      name: 'replica.selector.class',
      type: 'string',
      value: isRackAware ? RACK_AWARE : null,
      standard: null,
      documentation: 'How a leader finds the replica that a client should read from.',
    },
  ]
}

/** The defaults of topics under the names that brokers have for them, and what tools ask a broker for. */
export function brokerSettings(facts: BrokerFacts): readonly BrokerSetting[] {
  const values = given(facts)
  const ofTopics = [...TOPIC_SETTINGS, ...GROUP_SETTINGS].flatMap(
    ({ broker, type, fallback, standard = fallback, documentation }) => {
      if (!broker) return []
      const value = values.get(broker.name) ?? (broker.isUnset ? null : fallback)
      return [{ name: broker.name, type, value, standard: broker.isUnset ? null : standard, documentation }]
    },
  )
  const hours = 'The same in hours, used where the one in milliseconds is not set.'
  const { nodeId, rack, defaultFactor, defaultPartitions, autoCreateTopics, cleanerBackoffMs } = facts
  return [
    ...ofTopics,
    ...IDLE,
    own('log.retention.hours', 'int', values.get('log.retention.hours') ?? 168, '168', hours),
    own('log.roll.hours', 'int', values.get('log.roll.hours') ?? 168, '168', hours),
    own('log.roll.jitter.hours', 'int', 0, '0', hours),
    own('log.cleaner.enable', 'boolean', true, 'true', 'Whether logs are compacted.'),
    own('log.cleaner.backoff.ms', 'long', cleanerBackoffMs, '15000', 'How long the cleaner rests between two rounds.'),
    own('node.id', 'int', nodeId, '', 'The number of this broker.'),
    own('broker.id', 'int', nodeId, '-1', 'The number of this broker.'),
    own('num.partitions', 'int', defaultPartitions, '1', 'Partitions of topics that are created without a number.'),
    own(
      'default.replication.factor',
      'int',
      defaultFactor,
      '1',
      'Replicas of topics that are created without a number.',
    ),
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
    ...clientSettings(facts),
    own('group.share.assignors', 'list', 'simple', 'simple', 'Who gives partitions to members of share groups.'),
    own('group.share.delivery.count.limit', 'int', MAX_DELIVERIES, '5', 'How often a record is delivered at most.'),
    own(
      'group.share.partition.max.record.locks',
      'int',
      MAX_IN_FLIGHT,
      '2000',
      'How many records of a partition are in flight in a share group at most.',
    ),
    own('group.share.max.size', 'int', MAX_SHARE_GROUP_MEMBERS, '200', 'How many members a share group has at most.'),
    own(
      'group.share.max.share.sessions',
      'int',
      SHARE_SESSION_SLOTS,
      '2000',
      'How many share sessions there are at most.',
    ),
    own('group.consumer.assignors', 'list', 'uniform,range', 'uniform,range', 'Who gives partitions to members.'),
    own(
      'group.consumer.migration.policy',
      'string',
      'disabled',
      'bidirectional',
      'Groups without members change their protocol, others do not.',
    ),
    own('offsets.topic.num.partitions', 'int', 50, '50', 'Partitions of committed offsets.'),
    own('transaction.state.log.num.partitions', 'int', 50, '50', 'Partitions of the state of transactions.'),
    own('offsets.topic.replication.factor', 'short', defaultFactor, '3', 'Replicas of committed offsets.'),
    own(
      'transaction.state.log.replication.factor',
      'short',
      defaultFactor,
      '3',
      'Replicas of the state of transactions.',
    ),
    { name: 'broker.rack', type: 'string', value: rack, standard: null, documentation: 'The rack of this broker.' },
  ]
}
