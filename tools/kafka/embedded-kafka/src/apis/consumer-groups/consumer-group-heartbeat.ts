import { randomUUID } from 'node:crypto'
import { JOINS } from '../../groups/modern/modern-member.ts'
import { laterOutcomeOf } from '../../protocol/protocol-error.ts'
import { int32, nullableArray, nullableString, string } from '../../wire/primitives.ts'
import { since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { heartbeatResponse, listed, NO_ANSWER, topicPartitions } from '../modern-groups/heartbeat-response.ts'
import { requireProtocol } from '../modern-groups/require-group.ts'

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

/** Since this version clients make up their own member ids (KIP-1082). */
const OWN_MEMBER_ID_VERSION = 1

/** A member of a group joins, stays, reports its partitions, leaves, and gets its assignment (KIP-848). */
export const consumerGroupHeartbeat = defineApi('ConsumerGroupHeartbeat', {
  request,
  response: heartbeatResponse,
  handle(beat, { broker, version, clientId, clientHost }) {
    const isGivenId = version < OWN_MEMBER_ID_VERSION && beat.memberId === '' && beat.memberEpoch === JOINS
    const memberId = isGivenId ? randomUUID() : beat.memberId
    return laterOutcomeOf(async () => {
      requireProtocol(broker, 'consumer', beat.groupId)
      return listed(await broker.groups.consumers.heartbeat({ ...beat, memberId }, { clientId, clientHost }))
    }, NO_ANSWER)
  },
})
