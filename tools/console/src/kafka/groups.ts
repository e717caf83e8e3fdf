import { type Admin, AssignerProtocol, type GroupDescription } from '@taproom/kafkajs'
import type { GroupOffset, GroupView, TopicLag } from '../api/kafka.ts'
import type { Figures } from './figures.ts'
import { protocolError } from './kafka-link.ts'
import { topicOffsets } from './topics.ts'

const MAX_GROUPS = 200
const AT_A_TIME = 8

type Ends = (topic: string) => ReturnType<typeof topicOffsets>

interface OffsetWithin extends GroupOffset {
  readonly low: string
}

/** A group without its lag, for which records would have to be read. */
export interface Group extends Pick<GroupView, 'groupId' | 'state' | 'members'> {
  readonly offsets: readonly OffsetWithin[]
}

/** The records of a topic that a group has not read yet. */
export interface Lag extends TopicLag {
  readonly groupId: string
}

/** Consumer groups by name, 200 at most; `total` says how many there are. */
export async function listGroups(admin: Admin, figures: Figures): Promise<{ items: GroupView[]; total: number }> {
  const ids = await groupIds(admin)
  const ends = endsOf(admin)
  const items = await inTurns(ids.slice(0, MAX_GROUPS), async (groupId): Promise<GroupView> => {
    const { offsets, ...group } = await readGroup(admin, groupId, ends)
    return {
      ...group,
      offsets: offsets.map(({ low: _low, ...offset }) => offset),
      lags: await lagsOf(admin, groupId, offsets, figures),
    }
  })
  return { items, total: ids.length }
}

/** Consumer groups with their members and offsets, 200 at most. */
export async function readGroups(admin: Admin): Promise<Group[]> {
  const ends = endsOf(admin)
  return await inTurns((await groupIds(admin)).slice(0, MAX_GROUPS), (groupId) => readGroup(admin, groupId, ends))
}

/** How far behind each group is in each topic, without asking who is in it. */
export async function readLags(admin: Admin, figures: Figures): Promise<Lag[]> {
  const ids = await groupIds(admin)
  const ends = endsOf(admin)
  const lags = await inTurns(ids.slice(0, MAX_GROUPS), async (groupId) => {
    const offsets = await groupOffsets(admin, groupId, [], ends)
    return (await lagsOf(admin, groupId, offsets, figures)).map((lag) => ({ groupId, ...lag }))
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
export async function readGroup(admin: Admin, groupId: string, ends: Ends = endsOf(admin)): Promise<Group> {
  const description = await describeGroup(admin, groupId)
  const members = (description?.members ?? []).map(({ memberId, clientId, clientHost, memberAssignment }) => ({
    memberId,
    clientId,
    host: clientHost.replace(/^\//, ''),
    assigned: assignedOf(memberAssignment),
  }))
  const assigned = members.flatMap((member) => member.assigned)
  const offsets = await groupOffsets(admin, groupId, assigned, ends)
  return { groupId, state: description?.state ?? 'Unknown', members, offsets }
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

/** The offsets of partitions with a stored one, and of those that members have. */
async function groupOffsets(
  admin: Admin,
  groupId: string,
  assigned: readonly { readonly topic: string; readonly partitions: readonly number[] }[],
  ends: Ends,
): Promise<OffsetWithin[]> {
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
      return end === undefined ? [] : [{ topic, partition: Number(partition), committed: offset, ...end }]
    }),
  )
  return offsets.flat().sort((a, b) => (a.topic === b.topic ? a.partition - b.partition : a.topic < b.topic ? -1 : 1))
}

/** The lag of a group in each topic; a group that commits nothing has none. */
async function lagsOf(
  admin: Admin,
  groupId: string,
  offsets: readonly OffsetWithin[],
  { counter, trend, until }: Figures,
): Promise<TopicLag[]> {
  const unread = offsets.flatMap(({ topic, partition, committed, low, high }) => {
    if (committed === null) return []
    const to = BigInt(high)
    const from = [BigInt(low), BigInt(committed)].reduce((a, b) => (a > b ? a : b))
    return [{ topic, partition, from: from < to ? from : to, to }]
  })
  const lags: TopicLag[] = []
  for (const [topic, ranges] of Map.groupBy(unread, (range) => range.topic)) {
    const lag = await counter.count(admin, topic, ranges, until)
    lags.push({ topic, ...lag, isGrowing: trend.isGrowing(`${groupId} ${topic}`, lag.count) })
  }
  return lags
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
