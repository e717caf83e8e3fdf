import { outcomeOf } from '../../protocol/protocol-error.ts'
import { int32, nullableArray, nullableString, string } from '../../wire/primitives.ts'
import { struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { heartbeatResponse, listed, NO_ANSWER } from '../modern-groups/heartbeat-response.ts'
import { requireProtocol } from '../modern-groups/require-group.ts'

/** A member of a share group joins, stays, leaves, and gets its assignment (KIP-932). */
export const shareGroupHeartbeat = defineApi('ShareGroupHeartbeat', {
  request: struct({
    groupId: string,
    memberId: string,
    memberEpoch: int32,
    rackId: nullableString,
    subscribedTopicNames: nullableArray(string),
  }),
  response: heartbeatResponse,
  handle: (beat, { broker, clientId, clientHost }) =>
    outcomeOf(() => {
      requireProtocol(broker, 'share', beat.groupId)
      return listed(broker.groups.shares.heartbeat(beat, { clientId, clientHost }))
    }, NO_ANSWER),
})
