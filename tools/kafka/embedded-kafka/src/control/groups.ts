import type { Broker } from '../broker/broker.ts'
import { ControlError, WaitError } from '../errors.ts'

/** How far a group is in one partition. */
export interface PartitionLag {
  readonly topic: string
  readonly partition: number
  /** The committed offset: of the next record to read. */
  readonly offset: number
  /** Records after it. */
  readonly lag: number
}

export interface GroupSummary {
  readonly groupId: string
  /** As in DescribeGroups: Empty, PreparingRebalance, CompletingRebalance or Stable. */
  readonly state: string
  readonly members: number
  /** Of all its partitions. */
  readonly lag: number
}

export interface GroupDetails extends GroupSummary {
  readonly partitions: readonly PartitionLag[]
}

/** What is waited for: that the group has committed this offset of the partition, or a later one. */
export interface CommittedWait {
  readonly groupId: string
  readonly topic: string
  /** Default 0. */
  readonly partition?: number
  readonly offset: number
  /** In milliseconds; default 30000, at most 300000. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export const DEFAULT_WAIT_MS = 30_000
export const MAX_WAIT_MS = 300_000

/** One group with everything it has committed; undefined when there is none. */
export function describeGroup({ groups, topics }: Broker, groupId: string): GroupDetails | undefined {
  const modern = groups.consumers.find(groupId) ?? groups.shares.find(groupId)
  const group = groups.find(groupId)
  if (!groups.groupIds.includes(groupId)) return undefined
  const partitions = groups.offsets.topicsOf(groupId).flatMap((topic) =>
    topic.partitions.map((partition): PartitionLag => {
      const offset = groups.offsets.find(groupId, topic.name, partition)?.offset ?? 0
      const end = topics.find(topic.name)?.partitions[partition]?.highWatermark ?? offset
      return { topic: topic.name, partition, offset, lag: Math.max(0, end - offset) }
    }),
  )
  partitions.sort((a, b) => a.topic.localeCompare(b.topic) || a.partition - b.partition)
  const lag = partitions.reduce((sum, each) => sum + each.lag, 0)
  const { state = 'Empty', members = [] } = modern ?? group ?? {}
  return { groupId, state, members: members.length, lag, partitions }
}

/** All groups that have members or committed offsets. */
export function listGroups(broker: Broker): readonly GroupSummary[] {
  return broker.groups.groupIds.flatMap((groupId) => {
    const details = describeGroup(broker, groupId)
    if (details === undefined) return []
    const { partitions, ...summary } = details
    return summary
  })
}

/**
 * Resolves with the committed offset as soon as it is far enough.
 * @throws {WaitError} when it is not in time, or the wait was aborted
 */
export function waitForCommitted({ groups: { offsets } }: Broker, wanted: CommittedWait): Promise<number> {
  const { groupId, topic, partition = 0, offset, timeoutMs = DEFAULT_WAIT_MS, signal } = wanted
  if (!(timeoutMs >= 0 && timeoutMs <= MAX_WAIT_MS)) {
    throw new ControlError('timeoutMs', `timeoutMs must be from 0 to ${MAX_WAIT_MS}; got ${timeoutMs}`)
  }
  const committed = (): number => offsets.find(groupId, topic, partition)?.offset ?? -1
  if (committed() >= offset) return Promise.resolve(committed())
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer)
      stop()
      signal?.removeEventListener('abort', giveUp)
    }
    const giveUp = (): void => {
      end()
      const where = `partition ${partition} of ${topic}`
      const reached = committed() < 0 ? 'nothing' : `offset ${committed()}`
      reject(new WaitError(`group ${groupId} has not committed offset ${offset} in ${where} in time, but ${reached}`))
    }
    const timer = setTimeout(giveUp, timeoutMs)
    const stop = offsets.onCommit(() => {
      if (committed() < offset) return
      end()
      resolve(committed())
    })
    signal?.addEventListener('abort', giveUp, { once: true })
    if (signal?.aborted) giveUp()
  })
}
