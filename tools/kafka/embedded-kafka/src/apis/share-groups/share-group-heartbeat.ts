import { requireFeature } from '../../features/require-feature.ts'
import { toList } from '../../groups/assignors/assignment.ts'
import { outcomeOf } from '../../protocol/protocol-error.ts'
import { array, int16, int32, nullableArray, nullableString, string, uuid } from '../../wire/primitives.ts'
import { constant, nullableStruct, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { requireCoordinator } from './require-coordinator.ts'

const request = struct({
  groupId: string,
  memberId: string,
  memberEpoch: int32,
  rackId: nullableString,
  subscribedTopicNames: nullableArray(string),
})

const response = struct({
  throttleTimeMs: constant(int32, 0),
  errorCode: int16,
  errorMessage: nullableString,
  memberId: nullableString,
  memberEpoch: int32,
  heartbeatIntervalMs: int32,
  assignment: nullableStruct(struct({ topicPartitions: array(struct({ topicId: uuid, partitions: array(int32) })) })),
})

/** With an error. */
export const NO_ANSWER = { memberId: null, memberEpoch: 0, heartbeatIntervalMs: 0, assignment: null }

/** A member of a share group joins, stays, leaves, and is told what it gets (KIP-932). */
export const shareGroupHeartbeat = defineApi('ShareGroupHeartbeat', {
  request,
  response,
  handle: (beat, { broker, clientId, clientHost }) =>
    outcomeOf(() => {
      requireFeature(broker.features, 'share.version')
      requireCoordinator(broker, beat.groupId)
      const answer = broker.groups.shares.heartbeat(beat, { clientId, clientHost })
      const { assignment } = answer
      return { ...answer, assignment: assignment && { topicPartitions: toList(assignment) } }
    }, NO_ANSWER),
})
