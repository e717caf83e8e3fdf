import { setTimeout as delay } from 'node:timers/promises'
import type { Broker } from '../../broker/broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { failureOf, ProtocolError } from '../../protocol/protocol-error.ts'
import type { Partition } from '../../topics/partition.ts'
import type { Topic } from '../../topics/topic-catalog.ts'
import { mapInTurns } from '../../turn.ts'
import type { Codec, Infer } from '../../wire/codec.ts'
import {
  array,
  int8,
  int16,
  int32,
  int64,
  nullableArray,
  nullableBytes,
  string,
  uuid,
  ZERO_UUID,
} from '../../wire/primitives.ts'
import { between, constant, since, struct } from '../../wire/struct.ts'
import { defineApi, type RequestContext } from '../definition/api.ts'
import { isolationOf } from './isolation.ts'
import { watchPartitions } from './partition-changes.ts'

/** Data of partitions by topic: by its name, since version 13 by its id (KIP-516). */
const byTopicKey = <P>(partition: Codec<P>) =>
  array(
    struct({
      name: between(0, 12, string, ''),
      topicId: since(13, uuid, ZERO_UUID),
      partitions: array(partition),
    }),
  )

const request = struct({
  // A tagged field since version 15, which consumers do not send.
  replicaId: between(0, 14, int32, -1),
  maxWaitMs: int32,
  minBytes: int32,
  maxBytes: int32,
  isolationLevel: int8,
  sessionId: since(7, int32, 0),
  sessionEpoch: since(7, int32, -1),
  topics: byTopicKey(
    struct({
      index: int32,
      currentLeaderEpoch: since(9, int32, -1),
      fetchOffset: int64,
      lastFetchedEpoch: since(12, int32, -1),
      logStartOffset: since(5, int64, -1),
      maxBytes: int32,
    }),
  ),
  forgottenTopics: since(7, byTopicKey(int32), []),
  rackId: since(11, string, ''),
})

const response = struct({
  throttleTimeMs: constant(int32, 0, 1),
  errorCode: constant(int16, 0, 7),
  // 0: no fetch session (KIP-227), so that every request names all its partitions.
  sessionId: constant(int32, 0, 7),
  topics: byTopicKey(
    struct({
      index: int32,
      errorCode: int16,
      highWatermark: int64,
      lastStableOffset: int64,
      logStartOffset: since(5, int64, -1),
      abortedTransactions: nullableArray(struct({ producerId: int64, firstOffset: int64 })),
      preferredReadReplica: constant(int32, -1, 11),
      records: nullableBytes,
    }),
  ),
})

type Request = Infer<typeof request>
type Response = Infer<typeof response>

/** Limit of an answer, except for a single larger batch; Apache Kafka's fetch.max.bytes is 55 MiB. */
const MAX_RESPONSE_BYTES = 16_777_216
/** Pause between two reads for a client that waits for more bytes than there are yet. */
const GATHER_MS = 20

interface Outcome {
  readonly response: Response
  readonly bytes: number
  readonly hasFailed: boolean
}

type TopicKey = Pick<Request['topics'][number], 'name' | 'topicId'>

/** The topic that a fetch means: by name, or by id where it gives no name. */
function findTopic(broker: Broker, { name, topicId }: TopicKey): Topic | undefined {
  return name === '' ? broker.topics.findById(topicId) : broker.topics.find(name)
}

function requirePartition(broker: Broker, key: TopicKey, index: number): Partition {
  const topic = findTopic(broker, key)
  if (!topic && key.name === '') throw new ProtocolError(ErrorCode.UNKNOWN_TOPIC_ID, `no topic ${key.topicId}`)
  return broker.topics.partition(topic?.name ?? key.name, index)
}

async function readAll(request: Request, { broker, faults }: RequestContext): Promise<Outcome> {
  const isolation = isolationOf(request.isolationLevel)
  const limit = Math.min(request.maxBytes, MAX_RESPONSE_BYTES)
  let bytes = 0
  let hasFailed = false
  const topics = await mapInTurns(request.topics, async ({ name, topicId, partitions }) => ({
    name,
    topicId,
    partitions: await mapInTurns(partitions, ({ index, fetchOffset, maxBytes }) => {
      try {
        const partition = requirePartition(broker, { name, topicId }, index)
        faults?.check(findTopic(broker, { name, topicId })?.name ?? name, index)
        const room = Math.min(maxBytes, limit - bytes)
        const read = partition.read({ fromOffset: fetchOffset, isolation, maxBytes: room, atLeastOne: bytes === 0 })
        bytes += read.records.length
        return {
          index,
          errorCode: ErrorCode.NONE,
          highWatermark: partition.endOffset,
          lastStableOffset: partition.lastStableOffset,
          logStartOffset: partition.startOffset,
          abortedTransactions: isolation === 'read_committed' ? read.abortedTransactions : null,
          records: read.records,
        }
      } catch (error) {
        hasFailed = true
        const { errorCode } = failureOf(error)
        return {
          index,
          errorCode,
          highWatermark: -1,
          lastStableOffset: -1,
          logStartOffset: -1,
          abortedTransactions: null,
          records: Buffer.alloc(0),
        }
      }
    }),
  }))
  return { response: { topics }, bytes, hasFailed }
}

function partitionsOf(broker: Broker, request: Request): ReadonlySet<Partition> {
  const found = request.topics.flatMap(({ partitions, ...key }) => {
    const topic = findTopic(broker, key)
    return partitions.flatMap(({ index }) => topic?.partitions[index] ?? [])
  })
  return new Set(found)
}

/** Reads again after every change until there is enough, the time is up or the client is gone. */
async function poll(request: Request, context: RequestContext): Promise<Outcome> {
  const { broker, signal } = context
  const deadline = performance.now() + request.maxWaitMs
  const wanted = Math.min(request.minBytes, request.maxBytes, MAX_RESPONSE_BYTES)
  const changes = watchPartitions(partitionsOf(broker, request))
  try {
    for (;;) {
      const outcome = await readAll(request, context)
      const isDone = outcome.hasFailed || outcome.bytes >= wanted
      if (isDone || signal.aborted || performance.now() >= deadline) return outcome
      if (outcome.bytes > 0) await delay(Math.min(GATHER_MS, Math.max(0, deadline - performance.now())))
      await changes.next(deadline, signal)
    }
  } finally {
    changes.end()
  }
}

/** Answers at once with enough bytes or an error, otherwise waits for more up to the client's limit. */
export const fetch = defineApi({
  key: 1,
  name: 'Fetch',
  minVersion: 4,
  maxVersion: 17,
  flexibleSince: 12,
  request,
  response,
  async handle(wanted, context) {
    const { broker, faults } = context
    await faults?.resumed(wanted.topics.map((each) => ({ ...each, name: findTopic(broker, each)?.name ?? each.name })))
    const { response: answer } = await poll(wanted, context)
    return answer
  },
})
