import type { Broker } from '../../broker/broker.ts'
import { groupBy } from '../../group-by.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { laterOutcomeOf } from '../../protocol/protocol-error.ts'
import { UNINITIALIZED } from '../../shares/saved-partition.ts'
import { mapInTurns } from '../../turn.ts'
import {
  array,
  int16,
  int32,
  int64,
  nullableArray,
  nullableString,
  string,
  uuid,
  ZERO_UUID,
} from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { requireCoordinator } from '../modern-groups/require-group.ts'

interface WantedTopic {
  readonly name: string
  readonly partitions: readonly number[]
}

/** All partitions of a group, as far as their topics are still there. */
function everything(broker: Broker, groupId: string): readonly WantedTopic[] {
  const byTopic = groupBy(broker.groups.shares.partitions.of(groupId), ({ topicId }) => topicId)
  return [...byTopic].flatMap(([topicId, keys]) => {
    const topic = broker.topics.findById(topicId)
    return topic ? { name: topic.name, partitions: keys.map(({ index }) => index) } : []
  })
}

async function describe(broker: Broker, groupId: string, wanted: readonly WantedTopic[] | null) {
  requireCoordinator(broker, groupId)
  const topics = await mapInTurns(wanted ?? everything(broker, groupId), ({ name, partitions }) => {
    const topicId = broker.topics.find(name)?.id ?? ZERO_UUID
    return {
      name,
      topicId,
      partitions: partitions.map((index) => {
        const saved = broker.groups.shares.partitions.saved({ groupId, topicId, index })
        return {
          index,
          startOffset: saved?.startOffset ?? UNINITIALIZED,
          leaderEpoch: saved?.leaderEpoch ?? 0,
          errorCode: ErrorCode.NONE,
          errorMessage: null,
        }
      }),
    }
  })
  return { topics }
}

/** Before which offset share groups have done with everything, as far as they have acknowledged records (KIP-932). */
export const describeShareGroupOffsets = defineApi('DescribeShareGroupOffsets', {
  request: struct({
    groups: array(
      struct({ groupId: string, topics: nullableArray(struct({ name: string, partitions: array(int32) })) }),
    ),
  }),
  response: struct({
    throttleTimeMs: constant(int32, 0),
    groups: array(
      struct({
        groupId: string,
        topics: array(
          struct({
            name: string,
            topicId: uuid,
            partitions: array(
              struct({
                index: int32,
                startOffset: int64,
                leaderEpoch: int32,
                errorCode: int16,
                errorMessage: nullableString,
              }),
            ),
          }),
        ),
        errorCode: int16,
        errorMessage: nullableString,
      }),
    ),
  }),
  handle: async ({ groups }, { broker }) => ({
    groups: await mapInTurns(groups, async ({ groupId, topics }) => ({
      groupId,
      ...(await laterOutcomeOf(() => describe(broker, groupId, topics), { topics: [] })),
    })),
  }),
})
