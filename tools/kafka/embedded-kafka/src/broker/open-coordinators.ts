import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Nodes } from '../cluster/nodes.ts'
import { ConsumerGroups } from '../groups/consumer/consumer-groups.ts'
import { GroupCoordinator } from '../groups/group-coordinator.ts'
import type { GroupLog } from '../groups/group-log.ts'
import type { OffsetStore } from '../groups/offset-store.ts'
import { ShareGroups } from '../groups/share/share-groups.ts'
import type { SessionLimits } from '../settings/session-limits.ts'
import type { StateStore } from '../storage/state-store.ts'
import type { TopicCatalog } from '../topics/topic-catalog.ts'
import { ProducerIds } from '../transactions/producer-ids.ts'
import { TransactionCoordinator } from '../transactions/transaction-coordinator.ts'
import type { SharedState } from './broker.ts'
import type { ClusterLimits } from './cluster-options.ts'
import { Coordinators } from './coordinators.ts'

/** The coordinators, which all brokers share: which of them answers for a group is settled by request. */
export function openCoordinators(options: {
  readonly state: StateStore
  readonly nodes: Nodes
  readonly topics: TopicCatalog
  readonly offsets: OffsetStore
  readonly log: GroupLog
  readonly clock: Clock
  readonly limits: ClusterLimits
  readonly sessions: SessionLimits
}): Pick<SharedState, 'coordinators' | 'groups' | 'transactions'> {
  const { state, topics, offsets, log, clock, limits, sessions } = options
  const { maxGroups, maxGroupMembers } = limits
  const modern = { clock, state, catalog: topics, maxGroups, maxGroupMembers }
  const consumers = new ConsumerGroups({
    ...modern,
    isTaken: (groupId) => groups.find(groupId)?.isUnused === false || shares.find(groupId) !== undefined,
    forgetClassic: (groupId) => groups.forget(groupId),
    hasOffsets: (groupId) => offsets.has(groupId),
  })
  const shares = new ShareGroups({
    ...modern,
    configOf: (groupId) => consumers.configs.of(groupId),
    isTaken: (groupId) => groups.hasReader(groupId),
  })
  const groups = new GroupCoordinator({
    clock,
    offsets,
    log,
    consumers,
    shares,
    sessions,
    newMemberId: (clientId) => `${clientId}-${randomUUID()}`,
    maxGroups,
    maxGroupMembers,
  })
  const transactions = new TransactionCoordinator({
    state,
    topics,
    offsets,
    producerIds: new ProducerIds(state),
    clock,
    maxTransactionalIds: limits.maxTransactionalIds,
  })
  topics.onRemoved(({ id }) => shares.partitions.deleteTopic(id))
  return { coordinators: new Coordinators(topics, options.nodes), groups, transactions }
}
