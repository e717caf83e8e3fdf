import { ErrorCode } from '../../protocol/error-code.ts'
import { array, int32, nullableString, string } from '../../wire/primitives.ts'
import { struct } from '../../wire/struct.ts'
import type { RequestContext } from '../definition/api.ts'
import { type ReachableNode, reachableNodes } from './nodes.ts'

/** Who leads a partition, told with the error that says that it is another one (KIP-951). */
export const currentLeader = struct({ leaderId: int32, leaderEpoch: int32 })

/** Where those who are told so are reached. */
export const nodeEndpoints = array(struct({ nodeId: int32, host: string, port: int32, rack: nullableString }))

/** Of partitions whose leader need not be told. */
export const NOT_TOLD = { leaderId: -1, leaderEpoch: -1 }
export const NO_ENDPOINTS: readonly ReachableNode[] = []

const TOLD: readonly number[] = [ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.FENCED_LEADER_EPOCH]

/** The leader to tell with an error of a partition. */
export function leaderFor(errorCode: number, topic: string, index: number, { broker, faults }: RequestContext) {
  const replicas = broker.topics.find(topic)?.partitions[index]?.replicas
  // Without a leader by rule there is none to go to.
  if (!replicas || !TOLD.includes(errorCode) || faults?.isLeaderless(topic, index)) return NOT_TOLD
  const { leader, epoch } = replicas.leadership
  return { leaderId: leader, leaderEpoch: epoch }
}

/** The nodes of all leaders that an answer tells. */
export function endpointsOf(
  topics: readonly { readonly partitions: readonly { readonly currentLeader: typeof NOT_TOLD }[] }[],
  context: RequestContext,
): readonly ReachableNode[] {
  const ids = new Set(topics.flatMap(({ partitions }) => partitions.map((each) => each.currentLeader.leaderId)))
  ids.delete(NOT_TOLD.leaderId)
  return ids.size === 0 ? NO_ENDPOINTS : reachableNodes(context).filter(({ nodeId }) => ids.has(nodeId))
}
