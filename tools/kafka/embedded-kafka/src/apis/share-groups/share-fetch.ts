import { requireFeature } from '../../features/require-feature.ts'
import { groupBy } from '../../group-by.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { laterOutcomeOf, ProtocolError } from '../../protocol/protocol-error.ts'
import { FIRST_EPOCH, LAST_EPOCH, type SessionMember, type SharedPartition } from '../../sessions/share-sessions.ts'
import { shareRules } from '../../settings/group-settings.ts'
import type { Infer } from '../../wire/codec.ts'
import { array, int16, int32, int64, nullableBytes, nullableString, uuid } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { currentLeader, endpointsOf, nodeEndpoints } from '../cluster/current-leader.ts'
import { defineApi, type RequestContext } from '../definition/api.ts'
import { type AcknowledgeOutcome, acknowledgePartitions } from './acknowledge-partitions.ts'
import { acquireRecords, type PartitionRecords } from './acquire-records.ts'
import { requireMember } from './require-member.ts'
import { acknowledgementBatches } from './share-messages.ts'
import { leaderOf } from './shared-partition.ts'

const request = struct({
  groupId: nullableString,
  memberId: nullableString,
  shareSessionEpoch: int32,
  maxWaitMs: int32,
  minBytes: int32,
  maxBytes: int32,
  maxRecords: int32,
  batchSize: int32,
  topics: array(struct({ topicId: uuid, partitions: array(struct({ index: int32, acknowledgementBatches })) })),
  forgottenTopics: array(struct({ topicId: uuid, partitions: array(int32) })),
})

const response = struct({
  throttleTimeMs: constant(int32, 0),
  errorCode: int16,
  errorMessage: nullableString,
  acquisitionLockTimeoutMs: int32,
  topics: array(
    struct({
      topicId: uuid,
      partitions: array(
        struct({
          index: int32,
          errorCode: int16,
          errorMessage: nullableString,
          acknowledgeErrorCode: int16,
          acknowledgeErrorMessage: nullableString,
          currentLeader,
          records: nullableBytes,
          acquiredRecords: array(struct({ firstOffset: int64, lastOffset: int64, deliveryCount: int16 })),
        }),
      ),
    }),
  ),
  nodeEndpoints,
})

type Request = Infer<typeof request>

/** With an error. */
export const NOTHING_FETCHED = { acquisitionLockTimeoutMs: 0, topics: [], nodeEndpoints: [] }

function named({ topics }: Pick<Request, 'topics'>): readonly SharedPartition[] {
  return topics.flatMap(({ topicId, partitions }) => partitions.map(({ index }) => ({ topicId, index })))
}

/** The partitions to read, of the session as the request has changed it. */
function readOf(asked: Request, member: SessionMember, context: RequestContext): readonly SharedPartition[] {
  const { shareSessions } = context.broker
  const { shareSessionEpoch: epoch, topics, forgottenTopics } = asked
  if (epoch === LAST_EPOCH) {
    shareSessions.check(member)
    return []
  }
  if (epoch === FIRST_EPOCH) {
    const isAcknowledging = topics.some(({ partitions }) =>
      partitions.some((partition) => partition.acknowledgementBatches.length > 0),
    )
    if (isAcknowledging)
      throw new ProtocolError(ErrorCode.INVALID_REQUEST, 'A session begins without acknowledgements.')
    return [...shareSessions.open(member, named(asked), context.signal).partitions.values()]
  }
  const session = shareSessions.continue(member, epoch)
  const forgotten = forgottenTopics.flatMap(({ topicId, partitions }) =>
    partitions.map((index) => ({ topicId, index })),
  )
  shareSessions.update(member, named(asked), forgotten)
  return [...session.partitions.values()]
}

function answerFor(
  partition: SharedPartition,
  read: PartitionRecords | undefined,
  acknowledged: AcknowledgeOutcome | undefined,
  context: RequestContext,
) {
  const { errorCode = ErrorCode.NONE, errorMessage = null, records = Buffer.alloc(0), acquired = [] } = read ?? {}
  return {
    ...partition,
    errorCode,
    errorMessage,
    acknowledgeErrorCode: acknowledged?.errorCode ?? ErrorCode.NONE,
    acknowledgeErrorMessage: acknowledged?.errorMessage ?? null,
    currentLeader: leaderOf(context, partition, errorCode || (acknowledged?.errorCode ?? ErrorCode.NONE)),
    records,
    acquiredRecords: acquired,
  }
}

const rowOf = ({ topicId, index }: SharedPartition): string => `${topicId}/${index}`

async function fetch(asked: Request, context: RequestContext) {
  requireFeature(context.broker.features, 'share.version')
  const member = requireMember(asked)
  const { broker } = context
  const partitions = readOf(asked, member, context)
  const outcomes = await acknowledgePartitions(asked.topics, member, context)
  if (asked.shareSessionEpoch === LAST_EPOCH) broker.shareSessions.close(member)
  const reads = await acquireRecords(partitions, { ...asked, ...member }, context)
  for (const read of reads) if (read.acquired.length > 0) broker.shareSessions.readLast(member, read)
  const acknowledged = new Map(outcomes.map((each) => [rowOf(each), each]))
  const byRow = new Map(reads.map((each) => [rowOf(each), each]))
  // What a session begins with is answered in any case, later on what there is to say.
  const all = new Map(
    [...outcomes, ...reads].map(({ topicId, index }) => [rowOf({ topicId, index }), { topicId, index }]),
  )
  const isNews = (row: string): boolean => {
    const read = byRow.get(row)
    const hasRead = read !== undefined && (read.errorCode !== ErrorCode.NONE || read.acquired.length > 0)
    return hasRead || acknowledged.has(row) || asked.shareSessionEpoch === FIRST_EPOCH
  }
  const answers = [...all]
    .filter(([row]) => isNews(row))
    .map(([row, each]) => answerFor(each, byRow.get(row), acknowledged.get(row), context))
  const topics = [...groupBy(answers, ({ topicId }) => topicId)].map(([topicId, own]) => ({ topicId, partitions: own }))
  const { recordLockMs } = shareRules(broker.groups.consumers.configs.of(member.groupId))
  return { acquisitionLockTimeoutMs: recordLockMs, topics, nodeEndpoints: endpointsOf(topics, context) }
}

/** A member of a share group has done with records, and gets others, which it has for a while (KIP-932). */
export const shareFetch = defineApi('ShareFetch', {
  request,
  response,
  handle: (asked, context) => laterOutcomeOf(() => fetch(asked, context), NOTHING_FETCHED),
})
