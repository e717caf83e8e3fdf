import type { Broker } from '../../broker/broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { codeOf } from '../../protocol/protocol-error.ts'
import { mapInTurns } from '../../turn.ts'
import { array, int32, string } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { byTopic, errorsByTopic, forPartitions } from '../definition/by-topic.ts'

function codeFor(broker: Broker, path: string, topic: string, index: number): ErrorCode {
  if (path !== broker.logDir) return ErrorCode.LOG_DIR_NOT_FOUND
  const isHere = () => broker.topics.partition(topic, index).replicas.on(broker.nodeId) !== undefined
  let found = false
  const errorCode = codeOf(() => {
    found = isHere()
  })
  return found || errorCode !== ErrorCode.NONE ? errorCode : ErrorCode.NOT_LEADER_OR_FOLLOWER
}

/** Moves replicas between folders of a broker; as there is one folder, they are there already. */
export const alterReplicaLogDirs = defineApi('AlterReplicaLogDirs', {
  request: struct({ dirs: array(struct({ path: string, topics: byTopic(int32) })) }),
  response: struct({ throttleTimeMs: constant(int32, 0), results: errorsByTopic }),
  async handle({ dirs }, { broker }) {
    const results = await mapInTurns(dirs, ({ path, topics }) =>
      forPartitions(topics, (index, name) => ({ index, errorCode: codeFor(broker, path, name, index) })),
    )
    return { results: results.flat() }
  },
})
