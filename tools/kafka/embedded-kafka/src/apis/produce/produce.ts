import { ErrorCode } from '../../protocol/error-code.ts'
import { mapInTurns } from '../../turn.ts'
import { array, int16, int32, int64, nullableBytes, nullableString } from '../../wire/primitives.ts'
import { constant, since, struct, tagged } from '../../wire/struct.ts'
import {
  currentLeader,
  endpointsOf,
  leaderFor,
  NO_ENDPOINTS,
  NOT_TOLD,
  nodeEndpoints,
} from '../cluster/current-leader.ts'
import { defineApi, NO_RESPONSE } from '../definition/api.ts'
import { byTopicKey, topicNameOf } from '../definition/topic-key.ts'
import { appendBatch, NOT_APPENDED } from './append-batch.ts'

const request = struct({
  transactionalId: nullableString,
  acks: int16,
  timeoutMs: int32,
  topics: byTopicKey(struct({ index: int32, records: nullableBytes })),
})

const response = struct({
  topics: byTopicKey(
    struct({
      index: int32,
      errorCode: int16,
      baseOffset: int64,
      logAppendTimeMs: int64,
      logStartOffset: since(5, int64, -1),
      recordErrors: constant(array(struct({ batchIndex: int32, message: nullableString })), [], 8),
      errorMessage: since(8, nullableString, null),
      currentLeader: tagged(0, 10, currentLeader, NOT_TOLD),
    }),
  ),
  throttleTimeMs: constant(int32, 0),
  nodeEndpoints: tagged(0, 10, nodeEndpoints, NO_ENDPOINTS),
})

const UNKNOWN_TOPIC = {
  ...NOT_APPENDED,
  errorCode: ErrorCode.UNKNOWN_TOPIC_ID,
  errorMessage: 'This server does not host this topic ID.',
  currentLeader: NOT_TOLD,
}

/** Appends each partition's batch, or gives the reason why not. */
export const produce = defineApi('Produce', {
  request,
  response,
  async handle({ acks, transactionalId, topics: wanted }, context) {
    const topics = wanted.map((topic) => ({ ...topic, known: topicNameOf(context.broker, topic) }))
    const answered = await mapInTurns(topics, async ({ name, topicId, known, partitions }) => ({
      name,
      topicId,
      partitions: await mapInTurns(partitions, async ({ index, records }) => {
        if (known === undefined) return { index, ...UNKNOWN_TOPIC }
        const outcome = await appendBatch({ name: known, index, records, acks, transactionalId }, context)
        return { ...outcome, currentLeader: leaderFor(outcome.errorCode, known, index, context) }
      }),
    }))
    return acks === 0 ? NO_RESPONSE : { topics: answered, nodeEndpoints: endpointsOf(answered, context) }
  },
})
