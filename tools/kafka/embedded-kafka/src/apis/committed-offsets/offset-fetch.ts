import type { Broker } from '../../broker/broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { mapInTurns } from '../../turn.ts'
import type { Infer } from '../../wire/codec.ts'
import { array, bool, int16, int32, int64, nullableArray, nullableString, string } from '../../wire/primitives.ts'
import { between, constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { byTopic, forPartitions, mapPartitions } from '../definition/by-topic.ts'

const wantedTopics = nullableArray(struct({ name: string, partitions: array(int32) }))

const request = struct({
  groupId: between(0, 7, string, ''),
  topics: between(0, 7, wantedTopics, []),
  groups: since(
    8,
    array(
      struct({
        groupId: string,
        memberId: since(9, nullableString, null),
        memberEpoch: since(9, int32, -1),
        topics: wantedTopics,
      }),
    ),
    [],
  ),
  requireStable: since(7, bool, false),
})

const foundTopics = byTopic(
  struct({
    index: int32,
    offset: int64,
    leaderEpoch: since(5, int32, -1),
    metadata: nullableString,
    errorCode: int16,
  }),
)

const response = struct({
  throttleTimeMs: constant(int32, 0, 3),
  topics: between(0, 7, foundTopics, []),
  errorCode: between(2, 7, int16, 0),
  groups: since(8, array(struct({ groupId: string, topics: foundTopics, errorCode: int16 })), []),
})

type WantedTopics = NonNullable<Infer<typeof wantedTopics>>

function findOffsets(broker: Broker, groupId: string, wanted: WantedTopics | null, requireStable: boolean) {
  const { offsets } = broker.groups
  return mapPartitions(wanted ?? offsets.topicsOf(groupId), (name, index) => {
    const found = offsets.find(groupId, name, index)
    const isUnstable = requireStable && offsets.isStaged(groupId, name, index)
    if (isUnstable || !found) {
      const errorCode = isUnstable ? ErrorCode.UNSTABLE_OFFSET_COMMIT : ErrorCode.NONE
      return { index, offset: -1, leaderEpoch: -1, metadata: '', errorCode }
    }
    // As Apache Kafka: empty where none was given.
    return { index, ...found, metadata: found.metadata ?? '', errorCode: ErrorCode.NONE }
  })
}

/** Version 1 has the error of a group with each of its partitions only. */
function refused(group: { readonly topics: WantedTopics | null }, errorCode: ErrorCode) {
  const nowhere = { offset: -1, leaderEpoch: -1, metadata: '', errorCode }
  const topics = forPartitions(group.topics ?? [], (index) => ({ index, ...nowhere }))
  return { topics, errorCode, groups: [] }
}

/** Up to version 7 for one group, later for several; null instead of topics asks for all that were committed. */
export const offsetFetch = defineApi('OffsetFetch', {
  request,
  response,
  async handle({ groupId, topics, groups, requireStable }, { broker, version }) {
    if (version < 8) {
      const refusal = broker.groupRefusal(groupId)
      if (refusal !== undefined) return refused({ topics }, refusal)
      const found = await findOffsets(broker, groupId, topics, requireStable)
      return { topics: found, errorCode: ErrorCode.NONE, groups: [] }
    }
    return {
      topics: [],
      errorCode: ErrorCode.NONE,
      groups: await mapInTurns(groups, async ({ groupId, memberId, memberEpoch, topics }) => {
        const isMember = memberId !== null || memberEpoch >= 0
        const consumers = isMember ? broker.groups.consumers.find(groupId) : undefined
        const refusal = broker.groupRefusal(groupId) ?? consumers?.memberRefusal(memberId ?? '', memberEpoch)
        const errorCode = refusal ?? ErrorCode.NONE
        const found = errorCode === ErrorCode.NONE ? await findOffsets(broker, groupId, topics, requireStable) : []
        return { groupId, topics: found, errorCode }
      }),
    }
  },
})
