import { groupBy } from '../../group-by.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { outcomeOf, ProtocolError } from '../../protocol/protocol-error.ts'
import { mapInTurns } from '../../turn.ts'
import type { Infer } from '../../wire/codec.ts'
import {
  array,
  bool,
  int8,
  int16,
  int32,
  nullableArray,
  nullableString,
  string,
  uuid,
  ZERO_UUID,
} from '../../wire/primitives.ts'
import { constant, since, struct, tagged } from '../../wire/struct.ts'
import { topicEntries } from '../config-admin/config-entries.ts'
import { givenConfig, nullRefusedForTopic } from '../config-admin/given-config.ts'
import { defineApi, type RequestContext } from '../definition/api.ts'
import { checkAssignments } from './replica-assignments.ts'

const request = struct({
  topics: array(
    struct({
      name: string,
      numPartitions: int32,
      replicationFactor: int16,
      assignments: array(struct({ partitionIndex: int32, brokerIds: array(int32) })),
      configs: array(struct({ name: string, value: nullableString })),
    }),
  ),
  timeoutMs: int32,
  validateOnly: since(1, bool, false),
})

const configs = nullableArray(
  struct({
    name: string,
    value: nullableString,
    readOnly: constant(bool, false),
    configSource: int8,
    isSensitive: constant(bool, false),
  }),
)

const response = struct({
  throttleTimeMs: constant(int32, 0, 2),
  topics: array(
    struct({
      name: string,
      topicId: since(7, uuid, ZERO_UUID),
      errorCode: int16,
      errorMessage: since(1, nullableString, null),
      numPartitions: since(5, int32, -1),
      replicationFactor: since(5, int16, -1),
      configs: since(5, configs, null),
      topicConfigErrorCode: tagged(0, 5, int16, 0),
    }),
  ),
})

type NewTopic = Infer<typeof request>['topics'][number]

/** Manual assignments say how many partitions there are; they can name no other broker than this one. */
function partitionCount({ assignments, numPartitions }: NewTopic, { broker }: RequestContext): number | undefined {
  if (assignments.length === 0) return numPartitions === -1 ? undefined : numPartitions
  checkAssignments(assignments, broker.nodeId)
  const indexes = new Set(assignments.map(({ partitionIndex }) => partitionIndex))
  if (assignments.some((_, index) => !indexes.has(index))) {
    const message = 'The manual partition assignment must have the partitions from 0 on, each once.'
    throw new ProtocolError(ErrorCode.INVALID_REPLICA_ASSIGNMENT, message)
  }
  return assignments.length
}

const NO_TOPIC = {
  topicId: ZERO_UUID,
  numPartitions: -1,
  replicationFactor: -1,
  configs: null,
  topicConfigErrorCode: 0,
}

function create(wanted: NewTopic, validateOnly: boolean, context: RequestContext) {
  const { name, replicationFactor, assignments } = wanted
  if (replicationFactor !== -1 && replicationFactor !== 1 && assignments.length === 0) {
    throw new ProtocolError(
      ErrorCode.INVALID_REPLICATION_FACTOR,
      `replication factor ${replicationFactor} with one broker`,
    )
  }
  const partitions = partitionCount(wanted, context)
  const topic = context.broker.topics.create(name, {
    config: givenConfig(wanted.configs, nullRefusedForTopic),
    validateOnly,
    ...(partitions !== undefined && { partitions }),
  })
  return {
    topicId: topic.id,
    numPartitions: topic.partitions.length,
    replicationFactor: 1,
    configs: topicEntries(topic.config),
    topicConfigErrorCode: ErrorCode.NONE,
  }
}

export const createTopics = defineApi({
  key: 19,
  name: 'CreateTopics',
  minVersion: 0,
  maxVersion: 7,
  flexibleSince: 5,
  request,
  response,
  async handle({ topics, validateOnly }, context) {
    // Of a name that comes twice none is created, and there is one answer.
    const byName = groupBy(topics, ({ name }) => name)
    const work = ([first, ...more]: readonly [NewTopic, ...NewTopic[]]) => {
      if (more.length > 0) throw new ProtocolError(ErrorCode.INVALID_REQUEST, 'Duplicate topic name.')
      return create(first, validateOnly, context)
    }
    return {
      topics: await mapInTurns([...byName], ([name, wanted]) => ({
        name,
        ...outcomeOf(() => work(wanted), NO_TOPIC),
      })),
    }
  },
})
