import { requireFeature } from '../../features/require-feature.ts'
import { groupBy } from '../../group-by.ts'
import { laterOutcomeOf } from '../../protocol/protocol-error.ts'
import { FIRST_EPOCH, invalidEpoch, LAST_EPOCH } from '../../sessions/share-sessions.ts'
import type { Infer } from '../../wire/codec.ts'
import { array, int16, int32, nullableString, uuid } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { currentLeader, endpointsOf, nodeEndpoints } from '../cluster/current-leader.ts'
import { defineApi, type RequestContext } from '../definition/api.ts'
import { acknowledgePartitions } from './acknowledge-partitions.ts'
import { requireMember } from './require-member.ts'
import { acknowledgementBatches } from './share-messages.ts'
import { leaderOf } from './shared-partition.ts'

const request = struct({
  groupId: nullableString,
  memberId: nullableString,
  shareSessionEpoch: int32,
  topics: array(struct({ topicId: uuid, partitions: array(struct({ index: int32, acknowledgementBatches })) })),
})

const response = struct({
  throttleTimeMs: constant(int32, 0),
  errorCode: int16,
  errorMessage: nullableString,
  topics: array(
    struct({
      topicId: uuid,
      partitions: array(struct({ index: int32, errorCode: int16, errorMessage: nullableString, currentLeader })),
    }),
  ),
  nodeEndpoints,
})

/** With an error. */
export const NOTHING_ACKNOWLEDGED = { topics: [], nodeEndpoints: [] }

async function acknowledge(asked: Infer<typeof request>, context: RequestContext) {
  requireFeature(context.broker.features, 'share.version')
  const member = requireMember(asked)
  const { shareSessions } = context.broker
  if (asked.shareSessionEpoch === FIRST_EPOCH) throw invalidEpoch()
  if (asked.shareSessionEpoch === LAST_EPOCH) shareSessions.check(member)
  else shareSessions.continue(member, asked.shareSessionEpoch)
  const outcomes = await acknowledgePartitions(asked.topics, member, context)
  if (asked.shareSessionEpoch === LAST_EPOCH) shareSessions.close(member)
  const topics = [...groupBy(outcomes, ({ topicId }) => topicId)].map(([topicId, partitions]) => ({
    topicId,
    partitions: partitions.map((each) => ({ ...each, currentLeader: leaderOf(context, each, each.errorCode) })),
  }))
  return { topics, nodeEndpoints: endpointsOf(topics, context) }
}

/** A member of a share group has done with records, or gives them back (KIP-932). */
export const shareAcknowledge = defineApi('ShareAcknowledge', {
  request,
  response,
  handle: (asked, context) => laterOutcomeOf(() => acknowledge(asked, context), NOTHING_ACKNOWLEDGED),
})
