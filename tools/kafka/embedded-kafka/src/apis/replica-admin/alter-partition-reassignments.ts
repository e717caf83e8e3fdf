import type { Broker } from '../../broker/broker.ts'
import { cancelled, type Leadership, reassigned } from '../../cluster/leadership.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { actionOutcome, ProtocolError } from '../../protocol/protocol-error.ts'
import { bool, int16, int32, nullableArray, nullableString } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { byTopic, mapPartitions } from '../definition/by-topic.ts'
import { checkAssignments } from '../topic-admin/replica-assignments.ts'

interface Move {
  readonly topic: string
  readonly index: number
  readonly target: readonly number[] | null
  readonly mayChangeFactor: boolean
}

/** @throws {ProtocolError} INVALID_REPLICATION_FACTOR when there would be another number of replicas than there is now */
function checkFactor({ index, target, mayChangeFactor }: Move, { replicas, adding }: Leadership): void {
  const current = replicas.length - adding.length
  if (mayChangeFactor || target === null || target.length === current) return
  const message = `The replication factor is changed from ${current} to ${target.length} for partition ${index}`
  throw new ProtocolError(ErrorCode.INVALID_REPLICATION_FACTOR, message)
}

function reassign(broker: Broker, { topic, index, target, mayChangeFactor }: Move): void {
  const { replicas } = broker.topics.partition(topic, index)
  const isLive = (id: number): boolean => broker.nodes.isLive(id)
  if (target !== null) {
    checkAssignments([{ brokerIds: target }], broker.nodes)
    checkFactor({ topic, index, target, mayChangeFactor }, replicas.leadership)
    replicas.handOver((leadership) => reassigned(leadership, target, isLive))
    return
  }
  const { adding, removing } = replicas.leadership
  if (adding.length === 0 && removing.length === 0) {
    throw new ProtocolError(ErrorCode.NO_REASSIGNMENT_IN_PROGRESS, 'No partition reassignment is in progress.')
  }
  replicas.handOver((leadership) => cancelled(leadership, isLive))
}

/** Moves partitions to other brokers (KIP-455): the new replicas copy first, then the others go. Null gives a move up. */
export const alterPartitionReassignments = defineApi('AlterPartitionReassignments', {
  request: struct({
    timeoutMs: int32,
    allowReplicationFactorChange: since(1, bool, true),
    topics: byTopic(struct({ index: int32, replicas: nullableArray(int32) })),
  }),
  response: struct({
    throttleTimeMs: constant(int32, 0),
    allowReplicationFactorChange: since(1, bool, true),
    errorCode: int16,
    errorMessage: nullableString,
    topics: byTopic(struct({ index: int32, errorCode: int16, errorMessage: nullableString })),
  }),
  handle: async ({ topics, allowReplicationFactorChange }, { broker }) => ({
    allowReplicationFactorChange,
    errorCode: ErrorCode.NONE,
    errorMessage: null,
    topics: await mapPartitions(topics, (name, { index, replicas }) => ({
      index,
      ...actionOutcome(() =>
        reassign(broker, { topic: name, index, target: replicas, mayChangeFactor: allowReplicationFactorChange }),
      ),
    })),
  }),
})
