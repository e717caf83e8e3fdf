import type { Admin } from '@taproom/kafkajs'
import { HttpProblem } from '@taproom/service'
import type { GroupView } from '../api/kafka.ts'
import { readGroup } from './groups.ts'
import { protocolError } from './kafka-link.ts'
import { offsetsOf } from './topics.ts'

/** Where a group goes on: a time is in milliseconds since 1970. */
export type ResetTarget = 'earliest' | 'latest' | number

export interface WantedReset {
  readonly groupId: string
  readonly topic: string
  readonly to: ResetTarget
}

/** Kafka's errors for offsets from outside a group that has members. */
const HAS_MEMBERS = new Set(['UNKNOWN_MEMBER_ID', 'ILLEGAL_GENERATION', 'REBALANCE_IN_PROGRESS', 'NON_EMPTY_GROUP'])

/**
 * Sets the offsets of a group in all partitions of a topic.
 * @throws {HttpProblem} 404 without such a group or topic, 409 when the group has members
 */
export async function resetOffsets(admin: Admin, { groupId, topic, to }: WantedReset): Promise<GroupView> {
  const group = await readGroup(admin, groupId)
  const ends = await offsetsOf(admin, topic)
  if (group.state === 'Dead' && group.offsets.length === 0) {
    throw new HttpProblem(404, { detail: `there is no group ${JSON.stringify(groupId)}` })
  }
  if (group.members.length > 0 || !['Empty', 'Dead'].includes(group.state)) throw active(group)
  const times = typeof to === 'number' ? await admin.fetchTopicOffsetsByTimestamp(topic, to) : []
  const partitions = [...ends].map(([partition, { low, high }]) => {
    const atTime = times.find((found) => found.partition === partition)?.offset
    return { partition, offset: atTime ?? (to === 'earliest' ? low : high) }
  })
  try {
    await admin.setOffsets({ groupId, topic, partitions })
  } catch (error) {
    if (HAS_MEMBERS.has(protocolError(error)?.type ?? '')) throw active(await readGroup(admin, groupId))
    throw error
  }
  return readGroup(admin, groupId)
}

function active({ groupId, members, state }: GroupView): HttpProblem {
  const who = members.map(({ clientId }) => clientId).slice(0, 5)
  const detail = `group ${groupId} is ${state}, with ${members.length} members${who.length > 0 ? ` (${who.join(', ')})` : ''}: only the offsets of a group without members can be set; stop its services first`
  return new HttpProblem(409, { detail })
}
