import { type Admin, AssignerProtocol, type GroupDescription } from '@taproom/kafkajs'
import type { GroupView } from '../api/kafka.ts'
import { protocolError } from './kafka-link.ts'
import { topicOffsets } from './topics.ts'

const MAX_GROUPS = 200
const AT_A_TIME = 8

type GroupOffset = GroupView['offsets'][number]
type Ends = (topic: string) => ReturnType<typeof topicOffsets>

/** What a group has not read yet of a topic. */
export interface Lag {
  readonly groupId: string
  readonly topic: string
  readonly lag: number
}

/** Consumer groups by name, 200 at most; `total` says how many there are. */
export async function listGroups(admin: Admin): Promise<{ items: GroupView[]; total: number }> {
  const ids = await groupIds(admin)
  const ends = endsOf(admin)
  const items = await inTurns(ids.slice(0, MAX_GROUPS), (groupId) => readGroup(admin, groupId, ends))
  return { items, total: ids.length }
}

/** How far behind each group is in each topic, without asking who is in it. */
export async function readLags(admin: Admin): Promise<Lag[]> {
  const ids = await groupIds(admin)
  const ends = endsOf(admin)
  const lags = await inTurns(ids.slice(0, MAX_GROUPS), async (groupId) => {
    const byTopic = new Map<string, number>()
    for (const { topic, lag } of await groupOffsets(admin, groupId, [], ends)) {
      byTopic.set(topic, (byTopic.get(topic) ?? 0) + lag)
    }
    return [...byTopic].map(([topic, lag]) => ({ groupId, topic, lag }))
  })
  return lags.flat()
}

async function groupIds(admin: Admin): Promise<string[]> {
  const { groups } = await admin.listGroups()
  return groups
    .filter(({ protocolType }) => protocolType === 'consumer' || protocolType === '')
    .map(({ groupId }) => groupId)
    .sort()
}

/** One group; its state is `Dead` when there is none. */
export async function readGroup(admin: Admin, groupId: string, ends: Ends = endsOf(admin)): Promise<GroupView> {
  const description = await describeGroup(admin, groupId)
  const members = (description?.members ?? []).map(({ memberId, clientId, clientHost, memberAssignment }) => ({
    memberId,
    clientId,
    host: clientHost.replace(/^\//, ''),
    assigned: assignedOf(memberAssignment),
  }))
  const assigned = members.flatMap((member) => member.assigned)
  return {
    groupId,
    state: description?.state ?? 'Unknown',
    members,
    offsets: await groupOffsets(admin, groupId, assigned, ends),
  }
}

/** Undefined where Kafka does not say it, such as of groups of the newer protocol. */
async function describeGroup(admin: Admin, groupId: string): Promise<GroupDescription | undefined> {
  try {
    const { groups } = await admin.describeGroups([groupId])
    return groups[0]
  } catch (error) {
    if (protocolError(error)?.retriable === false) return undefined
    throw error
  }
}

/** Decodes an assignment, which a member writes itself: it may be anything. */
function assignedOf(assignment: Buffer): { topic: string; partitions: number[] }[] {
  try {
    const decoded = AssignerProtocol.MemberAssignment.decode(assignment)
    return Object.entries(decoded?.assignment ?? {}).map(([topic, partitions]) => ({ topic, partitions }))
  } catch {
    return []
  }
}

/** Of partitions with a stored offset, and of those that members have; without a stored offset all of the partition is unread. */
async function groupOffsets(
  admin: Admin,
  groupId: string,
  assigned: readonly { readonly topic: string; readonly partitions: readonly number[] }[],
  ends: Ends,
): Promise<GroupOffset[]> {
  const stored = await admin.fetchOffsets({ groupId })
  const committed = new Map<string, string | null>()
  const keyOf = (topic: string, partition: number) => `${topic} ${partition}`
  for (const { topic, partitions } of assigned) {
    for (const partition of partitions) committed.set(keyOf(topic, partition), null)
  }
  for (const { topic, partitions } of stored) {
    for (const { partition, offset } of partitions) {
      if (BigInt(offset) >= 0n) committed.set(keyOf(topic, partition), offset)
    }
  }
  const offsets = await Promise.all(
    [...committed].map(async ([key, offset]) => {
      // A topic's name has no space in it.
      const [topic = '', partition = ''] = key.split(' ')
      const end = (await ends(topic)).get(Number(partition))
      // The topic was deleted.
      if (end === undefined) return []
      const lag = Math.max(0, Number(BigInt(end.high) - BigInt(offset ?? end.low)))
      return [{ topic, partition: Number(partition), committed: offset, high: end.high, lag }]
    }),
  )
  return offsets.flat().sort((a, b) => (a.topic === b.topic ? a.partition - b.partition : a.topic < b.topic ? -1 : 1))
}

/** Asks once for each topic, and for none that is not there. */
function endsOf(admin: Admin): Ends {
  let known: Promise<ReadonlySet<string>> | undefined
  const ends = new Map<string, ReturnType<Ends>>()
  const ask: Ends = async (topic) => {
    known ??= admin.listTopics().then((topics) => new Set(topics))
    if (!(await known).has(topic)) return new Map()
    return topicOffsets(admin, topic)
  }
  return (topic) => {
    const asked = ends.get(topic) ?? ask(topic)
    ends.set(topic, asked)
    return asked
  }
}

async function inTurns<T, R>(items: readonly T[], use: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += AT_A_TIME) {
    results.push(...(await Promise.all(items.slice(start, start + AT_A_TIME).map(use))))
  }
  return results
}
