import { randomUUID } from 'node:crypto'
import { requireFeature } from '../../features/require-feature.ts'
import { toList } from '../../groups/assignors/assignment.ts'
import { JOINS } from '../../groups/consumer/consumer-member.ts'
import { laterOutcomeOf, ProtocolError } from '../../protocol/protocol-error.ts'
import { array, int16, int32, nullableArray, nullableString, string, uuid } from '../../wire/primitives.ts'
import { constant, nullableStruct, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'

const topicPartitions = struct({ topicId: uuid, partitions: array(int32) })

const request = struct({
  groupId: string,
  memberId: string,
  memberEpoch: int32,
  instanceId: nullableString,
  rackId: nullableString,
  rebalanceTimeoutMs: int32,
  subscribedTopicNames: nullableArray(string),
  subscribedTopicRegex: since(1, nullableString, null),
  serverAssignor: nullableString,
  topicPartitions: nullableArray(topicPartitions),
})

const response = struct({
  throttleTimeMs: constant(int32, 0),
  errorCode: int16,
  errorMessage: nullableString,
  memberId: nullableString,
  memberEpoch: int32,
  heartbeatIntervalMs: int32,
  assignment: nullableStruct(struct({ topicPartitions: array(topicPartitions) })),
})

/** Since this version clients make up their own member ids (KIP-1082). */
const OWN_MEMBER_ID_VERSION = 1

/** With an error. */
export const NO_ANSWER = { memberId: null, memberEpoch: 0, heartbeatIntervalMs: 0, assignment: null }

/** A member of a group joins, stays, says what it has, leaves, and is told what it gets (KIP-848). */
export const consumerGroupHeartbeat = defineApi('ConsumerGroupHeartbeat', {
  request,
  response,
  handle(beat, { broker, version, clientId, clientHost }) {
    const isGivenId = version < OWN_MEMBER_ID_VERSION && beat.memberId === '' && beat.memberEpoch === JOINS
    const memberId = isGivenId ? randomUUID() : beat.memberId
    return laterOutcomeOf(async () => {
      requireFeature(broker.features, 'group.version')
      const refusal = broker.groupRefusal(beat.groupId)
      if (refusal !== undefined) throw new ProtocolError(refusal, 'This is not the correct coordinator.')
      const answer = await broker.groups.consumers.heartbeat({ ...beat, memberId }, { clientId, clientHost })
      const { assignment } = answer
      return { ...answer, assignment: assignment && { topicPartitions: toList(assignment) } }
    }, NO_ANSWER)
  },
})
