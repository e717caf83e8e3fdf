import type { Broker } from '../../broker/broker.ts'
import { elect, type Leadership, NO_LEADER, preferred } from '../../cluster/leadership.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { actionOutcome, ProtocolError } from '../../protocol/protocol-error.ts'
import { array, int8, int16, int32, nullableArray, nullableString, string } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { mapPartitions } from '../definition/by-topic.ts'

const PREFERRED = 0

const results = array(
  struct({
    name: string,
    partitions: array(struct({ index: int32, errorCode: int16, errorMessage: nullableString })),
  }),
)

function refuse(errorCode: ErrorCode, message: string): ProtocolError {
  return new ProtocolError(errorCode, message)
}

/** What an election by an administrator makes of a leadership (KIP-460). */
function elected(leadership: Leadership, isPreferred: boolean, isLive: (id: number) => boolean): Leadership {
  const { leader, replicas } = leadership
  if (isPreferred) {
    if (leader === replicas[0]) {
      throw refuse(ErrorCode.ELECTION_NOT_NEEDED, 'Leader election not needed for topic partition.')
    }
    const next = preferred(leadership, isLive)
    if (next !== leadership) return next
    throw refuse(ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE, 'The preferred leader was not available.')
  }
  if (leader !== NO_LEADER) {
    throw refuse(ErrorCode.ELECTION_NOT_NEEDED, 'Leader election not needed for topic partition.')
  }
  const next = elect(leadership, isLive, { unclean: true })
  if (next.leader !== NO_LEADER) return next
  throw refuse(ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE, 'Eligible topic partition leaders are not available.')
}

function electIn(broker: Broker, topic: string, index: number, isPreferred: boolean) {
  const isLive = (id: number): boolean => broker.nodes.isLive(id)
  const run = () =>
    broker.topics.partition(topic, index).replicas.handOver((leadership) => elected(leadership, isPreferred, isLive))
  return { index, ...actionOutcome(run) }
}

/** Makes preferred replicas leaders, or any live one where there is no leader; without partitions wherever it is needed. */
export const electLeaders = defineApi('ElectLeaders', {
  request: struct({
    electionType: since(1, int8, PREFERRED),
    topics: nullableArray(struct({ name: string, partitions: array(int32) })),
    timeoutMs: int32,
  }),
  response: struct({ throttleTimeMs: constant(int32, 0), errorCode: since(1, int16, 0), topics: results }),
  async handle({ electionType, topics: wanted }, { broker }) {
    const isPreferred = electionType === PREFERRED
    const all =
      wanted ?? broker.topics.all.map(({ name, partitions }) => ({ name, partitions: [...partitions.keys()] }))
    const topics = await mapPartitions(all, (name, index) => electIn(broker, name, index, isPreferred))
    if (wanted !== null) return { errorCode: ErrorCode.NONE, topics }
    const isTold = ({ errorCode }: { readonly errorCode: ErrorCode }) => errorCode !== ErrorCode.ELECTION_NOT_NEEDED
    const told = topics.map(({ name, partitions }) => ({ name, partitions: partitions.filter(isTold) }))
    return { errorCode: ErrorCode.NONE, topics: told.filter(({ partitions }) => partitions.length > 0) }
  },
})
