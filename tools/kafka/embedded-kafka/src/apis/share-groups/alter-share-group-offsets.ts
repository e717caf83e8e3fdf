import type { Broker } from '../../broker/broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { actionOutcome, laterOutcomeOf, ProtocolError } from '../../protocol/protocol-error.ts'
import { mapInTurns } from '../../turn.ts'
import { array, int16, int32, int64, nullableString, string, uuid, ZERO_UUID } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { byTopic } from '../definition/by-topic.ts'
import { requireEmptyShareGroup } from '../modern-groups/require-group.ts'

function alter(broker: Broker, groupId: string, name: string, { index, startOffset }: Wanted): void {
  const topicId = broker.topics.find(name)?.id
  if (topicId === undefined || !broker.topics.find(name)?.partitions[index]) {
    const message = 'This server does not host this topic-partition.'
    throw new ProtocolError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, message)
  }
  if (startOffset < 0) throw new ProtocolError(ErrorCode.INVALID_REQUEST, 'An offset is 0 or more.')
  broker.groups.shares.partitions.reset([{ groupId, topicId, index, startOffset }])
}

interface Wanted {
  readonly index: number
  readonly startOffset: number
}

/** Lets a share group without members begin elsewhere (KIP-932). */
export const alterShareGroupOffsets = defineApi('AlterShareGroupOffsets', {
  request: struct({ groupId: string, topics: byTopic(struct({ index: int32, startOffset: int64 })) }),
  response: struct({
    throttleTimeMs: constant(int32, 0),
    errorCode: int16,
    errorMessage: nullableString,
    topics: array(
      struct({
        name: string,
        topicId: uuid,
        partitions: array(struct({ index: int32, errorCode: int16, errorMessage: nullableString })),
      }),
    ),
  }),
  handle: ({ groupId, topics }, { broker }) =>
    laterOutcomeOf(
      async () => {
        if (topics.length > 0) requireEmptyShareGroup(broker, groupId)
        const altered = await mapInTurns(topics, ({ name, partitions }) => ({
          name,
          topicId: broker.topics.find(name)?.id ?? ZERO_UUID,
          partitions: partitions.map((wanted) => ({
            index: wanted.index,
            ...actionOutcome(() => alter(broker, groupId, name, wanted)),
          })),
        }))
        return { topics: altered }
      },
      { topics: [] },
    ),
})
