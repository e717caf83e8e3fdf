import { ErrorCode } from '../../protocol/error-code.ts'
import { codeOf } from '../../protocol/protocol-error.ts'
import { mapInTurns } from '../../turn.ts'
import { array, int16, int32, nullableString, string, uuid, ZERO_UUID } from '../../wire/primitives.ts'
import { between, constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'

const request = struct({
  topics: since(6, array(struct({ name: nullableString, topicId: uuid })), []),
  topicNames: between(0, 5, array(string), []),
  timeoutMs: int32,
})

const response = struct({
  throttleTimeMs: constant(int32, 0),
  topics: array(
    struct({
      name: nullableString,
      topicId: since(6, uuid, ZERO_UUID),
      errorCode: int16,
      errorMessage: constant(nullableString, null, 5),
    }),
  ),
})

/** Topics are named by name or by id. */
export const deleteTopics = defineApi('DeleteTopics', {
  request,
  response,
  async handle({ topics, topicNames }, { broker }) {
    const wanted = [...topics, ...topicNames.map((name) => ({ name, topicId: ZERO_UUID }))]
    return {
      topics: await mapInTurns(wanted, ({ name, topicId }) => {
        const topic = name === null ? broker.topics.findById(topicId) : broker.topics.find(name)
        if (!topic) {
          const errorCode = name === null ? ErrorCode.UNKNOWN_TOPIC_ID : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
          return { name, topicId, errorCode }
        }
        return { name: topic.name, topicId: topic.id, errorCode: codeOf(() => broker.topics.delete(topic.name)) }
      }),
    }
  },
})
