import { ErrorCode } from '../../protocol/error-code.ts'
import type { Infer } from '../../wire/codec.ts'
import { int8, int16, int32, int64, nullableArray, nullableBytes, string } from '../../wire/primitives.ts'
import { between, constant, since, struct, tagged } from '../../wire/struct.ts'
import { currentLeader, endpointsOf, NO_ENDPOINTS, NOT_TOLD, nodeEndpoints } from '../cluster/current-leader.ts'
import { defineApi, type RequestContext } from '../definition/api.ts'
import { byTopicKey, TOPIC_ID_VERSION } from '../definition/topic-key.ts'
import { NO_REPLICA } from './nearest-replica.ts'
import { readPartitions } from './read-partitions.ts'

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
  errorCode: since(7, int16, 0),
  sessionId: since(7, int32, 0),
  nodeEndpoints: tagged(0, 16, nodeEndpoints, NO_ENDPOINTS),
  topics: byTopicKey(
    struct({
      index: int32,
      errorCode: int16,
      highWatermark: int64,
      lastStableOffset: int64,
      logStartOffset: since(5, int64, -1),
      abortedTransactions: nullableArray(struct({ producerId: int64, firstOffset: int64 })),
      preferredReadReplica: since(11, int32, NO_REPLICA),
      records: nullableBytes,
      currentLeader: tagged(1, 12, currentLeader, NOT_TOLD),
    }),
  ),
})

type Request = Infer<typeof request>
type Response = Infer<typeof response>

/** Epochs of requests that name all their partitions (KIP-227). */
const NEW_SESSION = 0
const NO_SESSION = -1
const NO_SESSION_ID = 0

function refused(errorCode: ErrorCode): Response {
  return { errorCode, sessionId: NO_SESSION_ID, nodeEndpoints: NO_ENDPOINTS, topics: [] }
}

/** All partitions, and a session for the next requests where the client wants one; the one that it had ends. */
async function answerFull(wanted: Request, context: RequestContext): Promise<Response> {
  const { broker, signal, version } = context
  const sessions = broker.fetchSessions
  if (wanted.sessionId !== NO_SESSION_ID) sessions.close(wanted.sessionId)
  const topics = await readPartitions(wanted, context)
  const isWanted = wanted.sessionEpoch === NEW_SESSION && !signal.aborted
  const session = isWanted ? sessions.open(wanted.topics, version >= TOPIC_ID_VERSION) : undefined
  session?.news(topics)
  const nodeEndpoints = endpointsOf(topics, context)
  return { errorCode: ErrorCode.NONE, sessionId: session?.id ?? NO_SESSION_ID, nodeEndpoints, topics }
}

/** Of all partitions of the session, those with news. */
async function answerNext(wanted: Request, context: RequestContext): Promise<Response> {
  const { broker, version } = context
  const sessions = broker.fetchSessions
  const session = sessions.find(wanted.sessionId)
  if (!session) return refused(ErrorCode.FETCH_SESSION_ID_NOT_FOUND)
  if (session.epoch !== wanted.sessionEpoch) return refused(ErrorCode.INVALID_FETCH_SESSION_EPOCH)
  if (session.usesTopicIds !== version >= TOPIC_ID_VERSION) return refused(ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR)
  const hasRoom = sessions.continue(session, wanted.topics, wanted.forgottenTopics)
  if (!hasRoom) return refused(ErrorCode.FETCH_SESSION_ID_NOT_FOUND)
  const { epoch } = session
  const topics = session.topics((topicId) => broker.topics.findById(topicId)?.name)
  const answer = await readPartitions({ ...wanted, topics }, context)
  // Another connection went on with the session in the meantime.
  if (session.epoch !== epoch) return refused(ErrorCode.INVALID_FETCH_SESSION_EPOCH)
  const sessionId = session.size === 0 ? NO_SESSION_ID : session.id
  const news = session.news(answer)
  return { errorCode: ErrorCode.NONE, sessionId, nodeEndpoints: endpointsOf(news, context), topics: news }
}

/** Answers at once with enough bytes or an error, otherwise waits for more up to the client's limit. */
export const fetch = defineApi('Fetch', {
  request,
  response,
  handle(wanted, context) {
    const isFull = wanted.sessionEpoch === NEW_SESSION || wanted.sessionEpoch === NO_SESSION
    return isFull ? answerFull(wanted, context) : answerNext(wanted, context)
  },
})
