import { toList } from '../../groups/assignors/assignment.ts'
import type { HeartbeatAnswer } from '../../groups/modern/modern-heartbeat.ts'
import { array, int16, int32, nullableString, uuid } from '../../wire/primitives.ts'
import { constant, nullableStruct, struct } from '../../wire/struct.ts'

export const topicPartitions = struct({ topicId: uuid, partitions: array(int32) })

export const heartbeatResponse = struct({
  throttleTimeMs: constant(int32, 0),
  errorCode: int16,
  errorMessage: nullableString,
  memberId: nullableString,
  memberEpoch: int32,
  heartbeatIntervalMs: int32,
  assignment: nullableStruct(struct({ topicPartitions: array(topicPartitions) })),
})

/** The answer with an error. */
export const NO_ANSWER = { memberId: null, memberEpoch: 0, heartbeatIntervalMs: 0, assignment: null }

export function listed({ assignment, ...answer }: HeartbeatAnswer) {
  return { ...answer, assignment: assignment && { topicPartitions: toList(assignment) } }
}
