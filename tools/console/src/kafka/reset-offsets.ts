import type { Admin } from '@taproom/kafkajs'
import { HttpProblem } from '@taproom/service'
import type { OffsetChange, OffsetChanges } from '../api/kafka.ts'
import { type Group, readGroup } from './groups.ts'
import { protocolError } from './kafka-link.ts'
import { chosenPartitions } from './read-records.ts'
import { type Offsets, offsetsOf } from './topics.ts'

/** Where a group goes on: a number is a time in milliseconds since 1970, a bigint an offset. */
type ResetTarget = 'earliest' | 'latest' | number | bigint

export interface WantedReset {
  readonly groupId: string
  readonly topic: string
  /** Default: all. */
  readonly partition?: number | undefined
  readonly to: ResetTarget
  /** Only says what would change. */
  readonly isDryRun: boolean
}

/** event-platform stores the offsets of a trigger in a group of this name. */
const TRIGGER_GROUP = /^knative-trigger\./
/** Kafka's errors for offsets from outside a group that has members. */
const HAS_MEMBERS = new Set(['UNKNOWN_MEMBER_ID', 'ILLEGAL_GENERATION', 'REBALANCE_IN_PROGRESS', 'NON_EMPTY_GROUP'])

/**
 * Sets the offsets of a group in partitions of a topic.
 * @throws {HttpProblem} 404 without such a group, topic or partition, 400 for an offset that the partition does not have, 409 when the group
 *   has members or is that of a trigger whose event platform runs
 */
export async function resetOffsets(admin: Admin, wanted: WantedReset): Promise<OffsetChanges> {
  const { groupId, topic, isDryRun } = wanted
  const group = await readGroup(admin, groupId)
  const chosen = chosenPartitions(await offsetsOf(admin, topic), wanted)
  if (group.state === 'Dead' && group.offsets.length === 0) {
    throw new HttpProblem(404, { detail: `group ${JSON.stringify(groupId)} does not exist` })
  }
  if (group.members.length > 0 || !['Empty', 'Dead'].includes(group.state)) throw active(group)
  await refuseRunningTrigger(admin, wanted)
  const items = await changesOf(admin, group, wanted, chosen)
  if (isDryRun) return { groupId, topic, isDryRun, items }
  const partitions = items.map(({ partition, to }) => ({ partition, offset: to }))
  try {
    await admin.setOffsets({ groupId, topic, partitions })
  } catch (error) {
    if (HAS_MEMBERS.has(protocolError(error)?.type ?? '')) throw active(await readGroup(admin, groupId))
    throw error
  }
  return { groupId, topic, isDryRun, items }
}

async function changesOf(
  admin: Admin,
  group: Group,
  { topic, to }: WantedReset,
  chosen: ReadonlyMap<number, Offsets>,
): Promise<OffsetChange[]> {
  const times = typeof to === 'number' ? await admin.fetchTopicOffsetsByTimestamp(topic, to) : []
  return [...chosen].map(([partition, { low, high }]) => {
    if (typeof to === 'bigint' && (to < BigInt(low) || to > BigInt(high))) {
      const detail = `offset is "${to}": expected one from ${low} to ${high}, which partition ${partition} of ${topic} has`
      throw new HttpProblem(400, { detail })
    }
    const stored = group.offsets.find((one) => one.topic === topic && one.partition === partition)
    const atTime = times.find((found) => found.partition === partition)?.offset
    const target = typeof to === 'bigint' ? String(to) : (atTime ?? (to === 'earliest' ? low : high))
    return { partition, committed: stored?.committed ?? null, to: target }
  })
}

/**
 * The group of a trigger has no members: event-platform reads its broker's topic in a group of the topic's name, and stores the offsets of
 * all triggers by itself.
 */
async function refuseRunningTrigger(admin: Admin, { groupId, topic }: WantedReset): Promise<void> {
  if (!TRIGGER_GROUP.test(groupId)) return
  const { members } = await readGroup(admin, topic)
  if (members.length === 0) return
  const detail = `the events of ${groupId} are read in group ${topic}, whose members would store their own offsets over new ones: stop event-platform first`
  throw new HttpProblem(409, { detail })
}

function active({ groupId, members, state }: Group): HttpProblem {
  const who = members.map(({ clientId }) => clientId).slice(0, 5)
  const detail = `group ${groupId} is ${state}, with ${members.length} ${members.length === 1 ? 'member' : 'members'}${who.length > 0 ? ` (${who.join(', ')})` : ''}: only the offsets of a group without members can be set; stop its services first`
  return new HttpProblem(409, { detail })
}
