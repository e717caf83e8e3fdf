import type { Broker } from '../broker.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { fetch } from '../protocol/fetch.ts'
import { failureOf, ProtocolError } from '../protocol/protocol-error.ts'
import type { Isolation, Partition } from '../topics/partition.ts'
import type { Topic } from '../topics/topic-catalog.ts'
import type { Infer } from '../wire/codec.ts'
import { type Endpoint, endpoint } from './endpoint.ts'

type Request = Infer<typeof fetch.request>
type Response = Infer<typeof fetch.response>

/** As Apache Kafka's fetch.max.bytes: an answer holds no more, except for a single larger batch. */
const MAX_RESPONSE_BYTES = 57_671_680

interface Outcome {
  readonly response: Response
  readonly bytes: number
  readonly hasFailed: boolean
}

export function isolationOf(level: number): Isolation {
  return level === 1 ? 'read_committed' : 'read_uncommitted'
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

function readAll(broker: Broker, request: Request): Outcome {
  const isolation = isolationOf(request.isolationLevel)
  const limit = Math.min(request.maxBytes, MAX_RESPONSE_BYTES)
  let bytes = 0
  let hasFailed = false
  const topics = request.topics.map(({ name, topicId, partitions }) => ({
    name,
    topicId,
    partitions: partitions.map(({ index, fetchOffset, maxBytes }) => {
      try {
        const partition = requirePartition(broker, { name, topicId }, index)
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

function partitionsOf(broker: Broker, request: Request): readonly Partition[] {
  return request.topics.flatMap(({ partitions, ...key }) => {
    const topic = findTopic(broker, key)
    return partitions.flatMap(({ index }) => topic?.partitions[index] ?? [])
  })
}

/** Reads again after every change until `isDone`, the time is up or nobody waits any more. */
function pollUntil(options: {
  readonly partitions: readonly Partition[]
  readonly read: () => Outcome
  readonly isDone: (outcome: Outcome) => boolean
  readonly maxWaitMs: number
  readonly signal: AbortSignal
}): Promise<Outcome> {
  const { partitions, read, isDone, maxWaitMs, signal } = options
  return new Promise((resolve, reject) => {
    let isScheduled = false
    const finish = (outcome: Outcome): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      for (const stop of stops) stop()
      resolve(outcome)
    }
    const look = (final: boolean): void => {
      isScheduled = false
      if (signal.aborted) return
      try {
        const outcome = read()
        if (final || isDone(outcome)) finish(outcome)
      } catch (error) {
        reject(error)
      }
    }
    const giveUp = (): void => finish({ response: { topics: [] }, bytes: 0, hasFailed: false })
    // One look for all the changes of one turn of the event loop.
    const onChange = (): void => {
      if (isScheduled) return
      isScheduled = true
      setImmediate(look, false)
    }
    const timer = setTimeout(look, maxWaitMs, true)
    const stops = partitions.map((partition) => partition.onChange(onChange))
    signal.addEventListener('abort', giveUp, { once: true })
  })
}

/** Fetch: answers at once with enough bytes or an error, otherwise waits for more up to the client's limit. */
export const fetchEndpoint: Endpoint = endpoint(fetch, (request, { broker, signal }) => {
  const isDone = ({ bytes, hasFailed }: Outcome): boolean => hasFailed || bytes >= request.minBytes
  const first = readAll(broker, request)
  if (request.maxWaitMs <= 0 || signal.aborted || isDone(first)) return first.response
  return pollUntil({
    partitions: partitionsOf(broker, request),
    read: () => readAll(broker, request),
    isDone,
    maxWaitMs: request.maxWaitMs,
    signal,
  }).then(({ response }) => response)
})
