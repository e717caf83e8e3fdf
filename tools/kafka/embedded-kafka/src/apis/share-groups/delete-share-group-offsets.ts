import type { Broker } from '../../broker/broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { laterOutcomeOf, outcomeOf, ProtocolError } from '../../protocol/protocol-error.ts'
import { mapInTurns } from '../../turn.ts'
import { array, int16, int32, nullableString, string, uuid, ZERO_UUID } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { requireEmptyShareGroup } from '../modern-groups/require-group.ts'

/** The id of the topic, where the group was. */
function deleteOffsets(broker: Broker, groupId: string, name: string): string {
  const topicId = broker.topics.find(name)?.id
  const { partitions } = broker.groups.shares
  const own = partitions.of(groupId).filter((key) => key.topicId === topicId)
  if (topicId === undefined || own.length === 0) {
    const message =
      topicId === undefined
        ? 'This server does not host this topic-partition.'
        : 'There is no offset information to delete.'
    throw new ProtocolError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, message)
  }
  partitions.delete(own)
  return topicId
}

/** Lets a share group without members forget where it is in topics (KIP-932). */
export const deleteShareGroupOffsets = defineApi('DeleteShareGroupOffsets', {
  request: struct({ groupId: string, topics: array(struct({ name: string })) }),
  response: struct({
    throttleTimeMs: constant(int32, 0),
    errorCode: int16,
    errorMessage: nullableString,
    topics: array(struct({ name: string, topicId: uuid, errorCode: int16, errorMessage: nullableString })),
  }),
  handle: ({ groupId, topics }, { broker }) =>
    laterOutcomeOf(
      async () => {
        if (topics.length > 0) requireEmptyShareGroup(broker, groupId)
        const deleted = await mapInTurns(topics, ({ name }) => ({
          name,
          ...outcomeOf(() => ({ topicId: deleteOffsets(broker, groupId, name) }), { topicId: ZERO_UUID }),
        }))
        return { topics: deleted }
      },
      { topics: [] },
    ),
})
