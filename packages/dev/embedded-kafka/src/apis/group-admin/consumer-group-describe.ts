import { ErrorCode } from '../../protocol/error-code.ts'
import { array, bool, int16, int32, nullableString, string } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { NO_OPERATIONS } from '../definition/authorized-operations.ts'

const group = struct({
  errorCode: constant(int16, ErrorCode.GROUP_ID_NOT_FOUND),
  errorMessage: nullableString,
  groupId: string,
  groupState: constant(string, ''),
  groupEpoch: constant(int32, 0),
  assignmentEpoch: constant(int32, 0),
  assignorName: constant(string, ''),
  members: constant(array(struct({})), []),
  authorizedOperations: constant(int32, NO_OPERATIONS),
})

/** Groups of the newer protocol (KIP-848), of which there are none: clients then ask DescribeGroups. */
export const consumerGroupDescribe = defineApi({
  key: 69,
  name: 'ConsumerGroupDescribe',
  minVersion: 0,
  maxVersion: 1,
  flexibleSince: 0,
  request: struct({ groupIds: array(string), includeAuthorizedOperations: bool }),
  response: struct({ throttleTimeMs: constant(int32, 0), groups: array(group) }),
  handle: ({ groupIds }, { broker }) => ({
    groups: groupIds.map((groupId) => ({
      groupId,
      errorMessage: broker.groups.has(groupId)
        ? `Group ${groupId} is not a consumer group.`
        : `Group ${groupId} not found.`,
    })),
  }),
})
