import { describe, expect, it } from 'vitest'
import { ErrorCode } from '../../protocol/error-code.ts'
import { checkHeartbeat } from './heartbeat.ts'

const JOIN = {
  groupId: 'g',
  memberId: 'm',
  memberEpoch: 0,
  instanceId: null,
  rackId: null,
  rebalanceTimeoutMs: 1,
  subscribedTopicNames: ['t'],
  subscribedTopicRegex: null,
  serverAssignor: null,
  topicPartitions: [],
}
const { INVALID_REQUEST, UNSUPPORTED_ASSIGNOR } = ErrorCode
const TOO_LONG = 'An id or the subscription is too long.'

/** The words are those of Apache Kafka 4.1.0, but for what is too long. */
describe('heartbeats of the newer protocol', () => {
  it.each([
    [{ rebalanceTimeoutMs: -1 }, INVALID_REQUEST, 'RebalanceTimeoutMs must be provided in first request.'],
    [{ topicPartitions: null }, INVALID_REQUEST, 'TopicPartitions must be empty when (re-)joining.'],
    [
      { subscribedTopicNames: null },
      INVALID_REQUEST,
      'Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when (re-)joining.',
    ],
    [{ groupId: '' }, INVALID_REQUEST, "GroupId can't be empty."],
    [{ memberId: '' }, INVALID_REQUEST, "MemberId can't be empty."],
    [{ instanceId: '' }, INVALID_REQUEST, "InstanceId can't be empty."],
    [{ rackId: '' }, INVALID_REQUEST, "RackId can't be empty."],
    [{ memberEpoch: -3 }, INVALID_REQUEST, 'MemberEpoch is invalid.'],
    [{ memberEpoch: -2 }, INVALID_REQUEST, "InstanceId can't be null."],
    [
      { serverAssignor: 'x' },
      UNSUPPORTED_ASSIGNOR,
      'ServerAssignor x is not supported. Supported assignors: uniform, range.',
    ],
    [{ memberId: 'm'.repeat(1001) }, INVALID_REQUEST, TOO_LONG],
    [{ subscribedTopicNames: ['t'.repeat(65_537)] }, INVALID_REQUEST, TOO_LONG],
    [{ subscribedTopicNames: Array.from({ length: 2001 }, () => 't') }, INVALID_REQUEST, TOO_LONG],
  ])('are refused with %j', (said, errorCode, message) => {
    expect(() => checkHeartbeat(JOIN)).not.toThrow()
    expect(() => checkHeartbeat({ ...JOIN, ...said })).toThrow(expect.objectContaining({ errorCode, message }))
  })
})
