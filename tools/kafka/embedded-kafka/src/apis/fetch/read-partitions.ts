import { setTimeout as delay } from 'node:timers/promises'
import type { Broker } from '../../broker/broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { failureOf, ProtocolError } from '../../protocol/protocol-error.ts'
import type { FetchTopic } from '../../sessions/fetch-session.ts'
import { bufferPool } from '../../storage/buffer-pool.ts'
import type { Partition } from '../../topics/partition.ts'
import type { AbortedTransaction } from '../../topics/producer-states.ts'
import type { Topic } from '../../topics/topic.ts'
import { mapInTurns } from '../../turn.ts'
import { ZERO_UUID } from '../../wire/primitives.ts'
import { leaderFor, NOT_TOLD } from '../cluster/current-leader.ts'
import type { RequestContext } from '../definition/api.ts'
import { isAllowed } from '../definition/authorized-operations.ts'
import { isolationOf } from './isolation.ts'
import { NO_REPLICA, nearestReplica } from './nearest-replica.ts'
import { watchPartitions } from './partition-changes.ts'

/** What to read, and how long to wait for it. */
export interface Wanted {
  readonly topics: readonly FetchTopic[]
  readonly isolationLevel: number
  readonly maxWaitMs: number
  readonly minBytes: number
  readonly maxBytes: number
  /** Where the client is; empty: it does not say. */
  readonly rackId: string
}

export interface ReadPartition {
  readonly index: number
  readonly errorCode: ErrorCode
  readonly highWatermark: number
  readonly lastStableOffset: number
  readonly logStartOffset: number
  readonly abortedTransactions: readonly AbortedTransaction[] | null
  readonly records: Buffer
  /** The replica from which the client should read instead; -1: none. */
  readonly preferredReadReplica: number
  /** Where the client has to go, if it is not here. */
  readonly currentLeader: typeof NOT_TOLD
}

interface Outcome {
  readonly topics: readonly FetchTopic<ReadPartition>[]
  readonly bytes: number
  /** There is something to tell the client at once. */
  readonly isUrgent: boolean
}

/** Limit of an answer, except for a single larger batch; Apache Kafka's fetch.max.bytes is 55 MiB. */
const MAX_RESPONSE_BYTES = 16_777_216
/** Pause between two reads for a client that waits for more bytes than there are yet. */
const GATHER_MS = 20
/** The first version whose clients are told of followers in sync. */
const FOLLOWERS_VERSION = 11

type TopicKey = Pick<FetchTopic, 'name' | 'topicId'>

/** The topic that a fetch means: by its id where it gives one, else by name. */
function findTopic(broker: Broker, { name, topicId }: TopicKey): Topic | undefined {
  return topicId === ZERO_UUID && name !== '' ? broker.topics.find(name) : broker.topics.findById(topicId)
}

interface WantedPartition {
  readonly index: number
  readonly currentLeaderEpoch: number
}

/** A partition that this broker leads; clients that know of followers may read from one (KIP-392). */
function requirePartition(context: RequestContext, key: TopicKey, wanted: WantedPartition): Partition {
  const { broker, version } = context
  const topic = findTopic(broker, key)
  const name = topic?.name ?? key.name
  if (name !== '' && !isAllowed(context, 'READ', 'TOPIC', name)) {
    throw new ProtocolError(ErrorCode.TOPIC_AUTHORIZATION_FAILED, `not allowed to read ${name}`)
  }
  if (topic) {
    const partition = broker.topics.partition(topic.name, wanted.index)
    if (version < FOLLOWERS_VERSION) partition.replicas.checkLeader(broker.nodeId, wanted.currentLeaderEpoch)
    else partition.replicas.checkReadable(broker.nodeId, wanted.currentLeaderEpoch)
    return partition
  }
  if (key.name === '') throw new ProtocolError(ErrorCode.UNKNOWN_TOPIC_ID, `no topic ${key.topicId}`)
  // A session that began with the id knows the name: the topic was deleted, and may be there again with another id.
  const isAnother = broker.topics.find(key.name) !== undefined
  const code = isAnother ? ErrorCode.INCONSISTENT_TOPIC_ID : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
  throw new ProtocolError(code, `no topic ${key.name} with this id`)
}

/** The connection gives the memory back when the answer is sent. */
const allocate = (size: number) => bufferPool.take(size)

async function readAll(request: Wanted, context: RequestContext): Promise<Outcome> {
  const { broker, faults } = context
  const isolation = isolationOf(request.isolationLevel)
  const limit = Math.min(request.maxBytes, MAX_RESPONSE_BYTES)
  let bytes = 0
  let isUrgent = false
  const topics = await mapInTurns(request.topics, async ({ name, topicId, partitions }) => ({
    name,
    topicId,
    partitions: await mapInTurns(partitions, (wanted): ReadPartition => {
      const { index, fetchOffset: fromOffset } = wanted
      try {
        const partition = requirePartition(context, { name, topicId }, wanted)
        faults?.check(findTopic(broker, { name, topicId })?.name ?? name, index)
        const preferredReadReplica = nearestReplica(partition, { fromOffset, rackId: request.rackId }, broker)
        // As in Apache Kafka nothing is read for a client that goes elsewhere.
        const isSentAway = preferredReadReplica !== NO_REPLICA
        if (isSentAway) isUrgent = true
        const maxBytes = isSentAway ? 0 : Math.min(wanted.maxBytes, limit - bytes)
        const place = { nodeId: broker.nodeId, allocate }
        const read = partition.read({ fromOffset, isolation, maxBytes, atLeastOne: bytes === 0, ...place })
        bytes += read.records.length
        return {
          index,
          errorCode: ErrorCode.NONE,
          highWatermark: partition.highWatermark,
          lastStableOffset: partition.lastStableOffset,
          logStartOffset: partition.startOffset,
          abortedTransactions: isolation === 'read_committed' ? read.abortedTransactions : null,
          records: read.records,
          preferredReadReplica,
          currentLeader: NOT_TOLD,
        }
      } catch (error) {
        isUrgent = true
        const { errorCode } = failureOf(error)
        return {
          index,
          errorCode,
          highWatermark: -1,
          lastStableOffset: -1,
          logStartOffset: -1,
          abortedTransactions: null,
          records: Buffer.alloc(0),
          preferredReadReplica: NO_REPLICA,
          currentLeader: leaderFor(errorCode, findTopic(broker, { name, topicId })?.name ?? name, index, context),
        }
      }
    }),
  }))
  return { topics, bytes, isUrgent }
}

function partitionsOf(broker: Broker, topics: readonly FetchTopic[]): ReadonlySet<Partition> {
  const found = topics.flatMap(({ partitions, ...key }) => {
    const topic = findTopic(broker, key)
    return partitions.flatMap(({ index }) => topic?.partitions[index] ?? [])
  })
  return new Set(found)
}

/** Reads again after every change until there is enough, something is wrong, the time is up or the client is gone. */
export async function readPartitions(
  wanted: Wanted,
  context: RequestContext,
): Promise<readonly FetchTopic<ReadPartition>[]> {
  const { broker, signal } = context
  if (wanted.topics.length === 0) return []
  const deadline = performance.now() + wanted.maxWaitMs
  const enough = Math.min(wanted.minBytes, wanted.maxBytes, MAX_RESPONSE_BYTES)
  const changes = watchPartitions(partitionsOf(broker, wanted.topics))
  try {
    for (;;) {
      const { topics, bytes, isUrgent } = await readAll(wanted, context)
      const isDone = isUrgent || bytes >= enough
      if (isDone || signal.aborted || performance.now() >= deadline) return topics
      for (const { records } of topics.flatMap(({ partitions }) => partitions)) bufferPool.giveBack(records)
      if (bytes > 0) await delay(Math.min(GATHER_MS, Math.max(0, deadline - performance.now())))
      await changes.next(deadline, signal)
    }
  } finally {
    changes.end()
  }
}
