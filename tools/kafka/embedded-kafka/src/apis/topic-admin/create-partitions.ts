import type { Broker } from '../../broker/broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { actionOutcome, ProtocolError } from '../../protocol/protocol-error.ts'
import { mapInTurns } from '../../turn.ts'
import type { Infer } from '../../wire/codec.ts'
import { array, bool, int16, int32, nullableArray, nullableString, string } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { checkAssignments } from './replica-assignments.ts'

const request = struct({
  topics: array(
    struct({ name: string, count: int32, assignments: nullableArray(struct({ brokerIds: array(int32) })) }),
  ),
  timeoutMs: int32,
  validateOnly: bool,
})

const response = struct({
  throttleTimeMs: constant(int32, 0),
  results: array(struct({ name: string, errorCode: int16, errorMessage: nullableString })),
})

type Wanted = Infer<typeof request>['topics'][number]

function grow(broker: Broker, { name, count, assignments }: Wanted, validateOnly: boolean): void {
  // What does not depend on the assignments comes first, as in Apache Kafka.
  broker.topics.grow(name, count, { validateOnly: true })
  if (assignments !== null) {
    const missing = count - (broker.topics.find(name)?.partitions.length ?? 0)
    if (assignments.length !== missing) {
      throw new ProtocolError(
        ErrorCode.INVALID_REPLICA_ASSIGNMENT,
        `Attempted to add ${missing} additional partition(s), but only ${assignments.length} assignment(s) were specified.`,
      )
    }
    checkAssignments(assignments, broker.nodes)
  }
  const replicas = assignments?.map(({ brokerIds }) => brokerIds)
  if (!validateOnly) broker.topics.grow(name, count, { validateOnly, ...(replicas && { assignments: replicas }) })
}

/** Adds partitions to topics, on brokers that are given or chosen here. */
export const createPartitions = defineApi('CreatePartitions', {
  request,
  response,
  handle: async ({ topics, validateOnly }, { broker }) => ({
    results: await mapInTurns(topics, (wanted) => ({
      name: wanted.name,
      ...actionOutcome(() => grow(broker, wanted, validateOnly)),
    })),
  }),
})
