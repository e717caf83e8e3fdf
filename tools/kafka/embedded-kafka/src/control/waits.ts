import { pause } from '@taproom/core/time'
import type { Broker } from '../broker/broker.ts'
import { ControlError, WaitError } from '../errors.ts'
import { describeGroup, type GroupDetails, goneGroup } from './groups.ts'

export const DEFAULT_WAIT_MS = 30_000
export const MAX_WAIT_MS = 300_000
/** A request may wait for no more members; no group has as many. */
export const MAX_MEMBERS = 2000
const POLL_MS = 10

interface Wait {
  /** In milliseconds; default 30000, at most 300000. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** How far a group is to be with a topic. */
export interface CommittedWait extends Wait {
  readonly groupId: string
  readonly topic: string
  /** Default: all partitions, of which `offset` is the sum. */
  readonly partition?: number
  /** The committed offset, or a later one; default: everything that the topic has. */
  readonly offset?: number
}

/** How many members a group is to have. */
export interface GroupWait extends Wait {
  readonly groupId: string
  /** With 0 the group is to be empty or gone. */
  readonly members: number
}

/** Resolves with true as soon as it is so, with false when the time is up or the wait was aborted. */
async function isSoon(isSo: () => boolean, { timeoutMs = DEFAULT_WAIT_MS, signal }: Wait): Promise<boolean> {
  if (!(timeoutMs >= 0 && timeoutMs <= MAX_WAIT_MS)) {
    throw new ControlError('timeoutMs', `timeoutMs must be from 0 to ${MAX_WAIT_MS}; got ${timeoutMs}`)
  }
  const deadline = performance.now() + timeoutMs
  while (!isSo()) {
    if (signal?.aborted || performance.now() >= deadline) return false
    await pause(POLL_MS, signal)
  }
  return true
}

/** The committed offset of a group, the sum where no partition is given; -1 for nothing. */
export function committedOffset({ groups, topics }: Broker, wanted: Omit<CommittedWait, 'offset'>): number {
  const { groupId, topic, partition } = wanted
  const all = topics.find(topic)?.partitions.map(({ index }) => index) ?? []
  const offsets = (partition === undefined ? all : [partition]).flatMap(
    (index) => groups.offsets.find(groupId, topic, index)?.offset ?? [],
  )
  return offsets.length === 0 ? -1 : offsets.reduce((sum, offset) => sum + offset, 0)
}

function hasEverything({ groups, topics }: Broker, { groupId, topic, partition }: CommittedWait): boolean {
  const partitions = topics.find(topic)?.partitions ?? []
  const meant = partitions.filter(({ index }) => (partition ?? index) === index)
  const isRead = ({ index, startOffset, highWatermark }: (typeof meant)[number]) =>
    (groups.offsets.find(groupId, topic, index)?.offset ?? startOffset) >= highWatermark
  return meant.length > 0 && meant.every(isRead)
}

/**
 * Resolves with the committed offset as soon as it is far enough.
 * @throws {WaitError} when it is not in time, or the wait was aborted
 */
export async function waitForCommitted(broker: Broker, wanted: CommittedWait): Promise<number> {
  const { groupId, topic, partition, offset } = wanted
  const isFar = () => (offset === undefined ? hasEverything(broker, wanted) : committedOffset(broker, wanted) >= offset)
  const isReached = await isSoon(isFar, wanted)
  const committed = committedOffset(broker, wanted)
  if (isReached) return committed
  const where = partition === undefined ? `all partitions of ${topic}` : `partition ${partition} of ${topic}`
  const missing = offset === undefined ? 'everything' : `offset ${offset}`
  const reached = committed < 0 ? 'nothing' : `offset ${committed}`
  throw new WaitError(`group ${groupId} has not committed ${missing} in ${where} in time, but ${reached}`)
}

/**
 * Resolves with the group as soon as it is stable with so many members.
 * @throws {WaitError} when it is not in time, or the wait was aborted
 */
export async function waitForGroup(broker: Broker, wanted: GroupWait): Promise<GroupDetails> {
  const { groupId, members } = wanted
  const group = (): GroupDetails => describeGroup(broker, groupId) ?? goneGroup(groupId)
  const isSo = () => group().members === members && (members === 0 || group().state === 'Stable')
  if (await isSoon(isSo, wanted)) return group()
  const { state, members: found } = group()
  throw new WaitError(`group ${groupId} is not stable with ${members} members in time, but ${state} with ${found}`)
}
