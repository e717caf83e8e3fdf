import { type Fields, fieldsOf } from './message-fields.ts'

/** APIs whose requests name topics. */
export const TOPIC_APIS: readonly string[] =
  `Produce Fetch ListOffsets Metadata OffsetForLeaderEpoch OffsetCommit OffsetFetch OffsetDelete CreateTopics DeleteTopics CreatePartitions
  DeleteRecords DescribeTopicPartitions AddPartitionsToTxn TxnOffsetCommit WriteTxnMarkers DescribeProducers ElectLeaders
  AlterPartitionReassignments ListPartitionReassignments AlterReplicaLogDirs DescribeLogDirs ConsumerGroupHeartbeat
  ShareGroupHeartbeat ShareFetch ShareAcknowledge DescribeShareGroupOffsets AlterShareGroupOffsets DeleteShareGroupOffsets`.split(
    /\s+/,
  )

/** APIs whose requests name groups. */
export const GROUP_APIS: readonly string[] =
  `FindCoordinator JoinGroup SyncGroup Heartbeat LeaveGroup OffsetCommit OffsetFetch OffsetDelete DescribeGroups DeleteGroups
  AddOffsetsToTxn TxnOffsetCommit ConsumerGroupHeartbeat ConsumerGroupDescribe ShareGroupHeartbeat ShareGroupDescribe ShareFetch
  ShareAcknowledge DescribeShareGroupOffsets AlterShareGroupOffsets DeleteShareGroupOffsets`.split(/\s+/)

/** APIs whose requests name transactional ids. */
export const TRANSACTION_APIS: readonly string[] =
  `FindCoordinator Produce InitProducerId AddPartitionsToTxn AddOffsetsToTxn EndTxn TxnOffsetCommit DescribeTransactions`.split(
    /\s+/,
  )

/** A request, as rules see it. */
export interface FaultTarget {
  readonly api: string
  readonly nodeId: number
  readonly clientId: string
  readonly request: unknown
  /** The topics of the session that a Fetch goes on with. */
  readonly sessionTopics?: () => readonly unknown[]
  /** The id of a topic, undefined for an unknown one. */
  readonly topicId: (name: string) => string | undefined
}

const GROUP_COORDINATOR = 0
const TRANSACTION_COORDINATOR = 1

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The parts of a request that may name topics or keys: itself, and what is in these lists. */
function partsOf(request: unknown): readonly Fields[] {
  const whole = fieldsOf(request)
  if (!whole) return []
  const lists = ['groups', 'transactions', 'markers', 'dirs'].flatMap((name) => listOf(whole[name]))
  return [whole, ...lists.map(fieldsOf).filter((each) => each !== undefined)]
}

function hasPartition(topic: Fields, partition: number): boolean {
  const partitions = listOf(topic['partitions'])
  return partitions.length === 0 || partitions.some((each) => (fieldsOf(each)?.['index'] ?? each) === partition)
}

/** True for a request that names a topic, and this partition of it where one is given. */
export function namesTopic(
  { request, sessionTopics, topicId }: FaultTarget,
  name: string,
  partition: number | undefined,
): boolean {
  const named = partsOf(request).flatMap((part) =>
    ['topics', 'topicNames', 'subscribedTopicNames'].flatMap((list) => listOf(part[list])),
  )
  const id = topicId(name)
  return [...named, ...(sessionTopics?.() ?? [])].some((topic) => {
    const fields = fieldsOf(topic)
    if (!fields) return topic === name
    const isMeant = fields['name'] === name || (id !== undefined && fields['topicId'] === id)
    return isMeant && (partition === undefined || hasPartition(fields, partition))
  })
}

function namesKey(request: unknown, key: string, names: { single: string; lists: readonly string[]; type: number }) {
  return partsOf(request).some((part) => {
    const searched = part['keyType'] === names.type ? [part['key'], ...listOf(part['coordinatorKeys'])] : []
    const listed = names.lists.flatMap((list) => listOf(part[list]))
    return [part[names.single], ...listed, ...searched].includes(key)
  })
}

/** True for a request about a group. */
export function namesGroup({ request }: FaultTarget, groupId: string): boolean {
  const lists = ['groups', 'groupIds']
  return namesKey(request, groupId, { single: 'groupId', lists, type: GROUP_COORDINATOR })
}

/** True for a request about a transactional id. */
export function namesTransaction({ request }: FaultTarget, transactionalId: string): boolean {
  const lists = ['transactionalIds']
  return namesKey(request, transactionalId, { single: 'transactionalId', lists, type: TRANSACTION_COORDINATOR })
}
