import { array, int8, int32, nullableString, string } from '../../wire/primitives.ts'
import { since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import {
  assignment,
  describeGroups,
  describeMember,
  describeRequest,
  describeResponse,
  named,
} from '../modern-groups/describe-modern-groups.ts'
import { requireFound, requireProtocol } from '../modern-groups/require-group.ts'

/** The protocol's number for a member that speaks the newer protocol itself. */
const CONSUMER_MEMBER = 1

const member = struct({
  memberId: string,
  instanceId: nullableString,
  rackId: nullableString,
  memberEpoch: int32,
  clientId: string,
  clientHost: string,
  subscribedTopicNames: array(string),
  subscribedTopicRegex: nullableString,
  assignment,
  targetAssignment: assignment,
  memberType: since(1, int8, CONSUMER_MEMBER),
})

/** Groups of the newer protocol (KIP-848); for others clients then ask DescribeGroups. */
export const consumerGroupDescribe = defineApi('ConsumerGroupDescribe', {
  request: describeRequest,
  response: describeResponse(member),
  async handle(request, context) {
    const { broker } = context
    const groups = await describeGroups({ ...request, groupIds: [...new Set(request.groupIds)] }, context, {
      find(groupId) {
        requireProtocol(broker, 'consumer', groupId)
        return requireFound(broker, 'consumer', groupId, broker.groups.consumers.find(groupId))
      },
      describe: (each) => ({
        ...describeMember(broker, each),
        instanceId: each.instanceId,
        subscribedTopicRegex: each.topicRegex,
        targetAssignment: named(broker, each.target),
        memberType: CONSUMER_MEMBER,
      }),
    })
    return { groups }
  },
})
