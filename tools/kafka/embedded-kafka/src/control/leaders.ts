import type { Broker } from '../broker/broker.ts'
import { movedTo } from '../cluster/leadership.ts'
import { ControlError } from '../errors.ts'

/** Which broker is to lead a partition. */
export interface LeaderMove {
  readonly topic: string
  /** Default 0. */
  readonly partition?: number
  readonly nodeId: number
}

/**
 * Makes a replica in sync the leader.
 * @throws {ControlError} when there is no such partition, or the broker does not run or is not in sync
 */
export function moveLeader({ topics, nodes }: Broker, { topic, partition = 0, nodeId }: LeaderMove): void {
  const found = topics.find(topic)
  if (!found) throw new ControlError('topic', `topic must be a topic that is there; got ${topic}`)
  const replicas = found.partitions[partition]?.replicas
  if (!replicas) {
    const last = found.partitions.length - 1
    throw new ControlError('partition', `partition must be from 0 to ${last} for ${topic}; got ${partition}`)
  }
  const isLive = (id: number): boolean => nodes.isLive(id)
  const able = replicas.leadership.isr.filter(isLive)
  if (!able.includes(nodeId)) {
    const choice = able.join(', ') || 'none'
    throw new ControlError('nodeId', `nodeId must be a running replica in sync: ${choice}; got ${nodeId}`)
  }
  replicas.handOver((leadership) => movedTo(leadership, nodeId, isLive))
}
