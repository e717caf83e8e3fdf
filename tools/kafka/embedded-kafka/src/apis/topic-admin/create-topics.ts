import type { Nodes } from '../../cluster/nodes.ts'
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
  validateOnly: bool,
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
  throttleTimeMs: constant(int32, 0),
  topics: array(
    struct({
      name: string,
      topicId: since(7, uuid, ZERO_UUID),
      errorCode: int16,
      errorMessage: nullableString,
      numPartitions: since(5, int32, -1),
      replicationFactor: since(5, int16, -1),
      configs: since(5, configs, null),
      topicConfigErrorCode: tagged(0, 5, int16, 0),
    }),
  ),
})

type NewTopic = Infer<typeof request>['topics'][number]

/** The replicas of each partition, where a client gives them. */
function assignmentsOf({ assignments }: NewTopic, nodes: Nodes): readonly (readonly number[])[] {
  checkAssignments(assignments, nodes)
  const byIndex = new Map(assignments.map(({ partitionIndex, brokerIds }) => [partitionIndex, brokerIds]))
  return assignments.map((_, index) => {
    const found = byIndex.get(index)
    if (found) return found
    const message = 'The manual partition assignment must have the partitions from 0 on, each once.'
    throw new ProtocolError(ErrorCode.INVALID_REPLICA_ASSIGNMENT, message)
  })
}

const NO_TOPIC = {
  topicId: ZERO_UUID,
  numPartitions: -1,
  replicationFactor: -1,
  configs: null,
  topicConfigErrorCode: 0,
}

function create(wanted: NewTopic, validateOnly: boolean, { broker }: RequestContext) {
  const { name, numPartitions, replicationFactor: factor } = wanted
  const assignments = wanted.assignments.length === 0 ? undefined : assignmentsOf(wanted, broker.nodes)
  const topic = broker.topics.create(name, {
    config: givenConfig(wanted.configs, nullRefusedForTopic),
    validateOnly,
    ...(assignments && { assignments }),
    ...(numPartitions !== -1 && { partitions: numPartitions }),
    ...(factor !== -1 && { factor }),
  })
  return {
    topicId: topic.id,
    numPartitions: topic.partitions.length,
    replicationFactor: assignments?.[0]?.length ?? (factor === -1 ? broker.nodes.defaultFactor : factor),
    configs: topicEntries(topic.config),
    topicConfigErrorCode: ErrorCode.NONE,
  }
}

export const createTopics = defineApi('CreateTopics', {
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
