import { array, int32, nullableString, string } from '../../wire/primitives.ts'
import { struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import {
  assignment,
  describeGroups,
  describeMember,
  describeRequest,
  describeResponse,
} from '../modern-groups/describe-modern-groups.ts'
import { requireFound, requireProtocol } from '../modern-groups/require-group.ts'

const member = struct({
  memberId: string,
  rackId: nullableString,
  memberEpoch: int32,
  clientId: string,
  clientHost: string,
  subscribedTopicNames: array(string),
  assignment,
})

/** Share groups, their members and what these have (KIP-932). */
export const shareGroupDescribe = defineApi('ShareGroupDescribe', {
  request: describeRequest,
  response: describeResponse(member),
  async handle(request, context) {
    const { broker } = context
    const groups = await describeGroups(request, context, {
      find(groupId) {
        requireProtocol(broker, 'share', groupId)
        return requireFound(broker, 'share', groupId, broker.groups.shares.find(groupId))
      },
      describe: (each) => describeMember(broker, each),
    })
    return { groups }
  },
})
