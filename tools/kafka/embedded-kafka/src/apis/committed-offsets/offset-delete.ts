import type { Broker } from '../../broker/broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { mapInTurns } from '../../turn.ts'
import { int16, int32, string } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { byTopic, errorsByTopic } from '../definition/by-topic.ts'

/** Subscriptions of classic groups are in the client's own format: while a group has members, it may use any topic it has offsets of. */
function isSubscribed(broker: Broker, groupId: string, topic: string): boolean {
  const consumers = broker.groups.consumers.find(groupId)
  if (consumers) return consumers.isSubscribedTo(broker.topics.find(topic)?.id ?? '')
  const group = broker.groups.find(groupId)
  if (group === undefined || group.isUnused) return false
  return broker.groups.offsets.topicsOf(groupId).some(({ name }) => name === topic)
}

export const offsetDelete = defineApi('OffsetDelete', {
  request: struct({ groupId: string, topics: byTopic(struct({ index: int32 })) }),
  response: struct({ errorCode: int16, throttleTimeMs: constant(int32, 0), topics: errorsByTopic }),
  async handle({ groupId, topics }, { broker }) {
    const refusal = broker.groupRefusal(groupId)
    if (refusal !== undefined) return { errorCode: refusal, topics: [] }
    const isShared = broker.groups.shares.find(groupId) !== undefined
    if (isShared || !broker.groups.has(groupId)) return { errorCode: ErrorCode.GROUP_ID_NOT_FOUND, topics: [] }
    return {
      errorCode: ErrorCode.NONE,
      topics: await mapInTurns(topics, ({ name, partitions }) => {
        const isUsed = isSubscribed(broker, groupId, name)
        const indexes = partitions.map(({ index }) => index)
        if (!isUsed) broker.groups.offsets.delete(groupId, name, indexes)
        const errorCode = isUsed ? ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC : ErrorCode.NONE
        return { name, partitions: indexes.map((index) => ({ index, errorCode })) }
      }),
    }
  },
})
