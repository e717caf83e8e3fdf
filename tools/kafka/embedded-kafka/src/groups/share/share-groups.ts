import type { Clock } from '../../clock.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'
import { type GroupConfig, shareGroupTimes, shareRules } from '../../settings/group-settings.ts'
import { MAX_SHARE_GROUP_MEMBERS } from '../../settings/share-settings.ts'
import { SharePartitions } from '../../shares/share-partitions.ts'
import { hasNumbers } from '../../storage/shapes.ts'
import type { Change, StateStore } from '../../storage/state-store.ts'
import type { TopicCatalog } from '../../topics/topic-catalog.ts'
import type { GroupEpochs } from '../consumer/consumer-group-options.ts'
import { ShareGroup } from './share-group.ts'
import { checkShareHeartbeat, JOINS, type ShareHeartbeat, type ShareHeartbeatAnswer } from './share-heartbeat.ts'
import { isStoredMember, type ShareMember, type ShareSubscription } from './share-member.ts'

export interface ShareGroupsOptions {
  readonly state: StateStore
  readonly catalog: TopicCatalog
  readonly clock: Clock
  readonly maxGroups: number
  /** In one group; more than 200 there are never, as in Apache Kafka. */
  readonly maxGroupMembers: number
  readonly configOf: (groupId: string) => GroupConfig
  /** Whether there is a group of another protocol with this id. */
  readonly isTaken: (groupId: string) => boolean
}

const GROUPS = 'share-groups'
const MEMBERS = 'share-group-members'
/** In all groups together. */
const MAX_MEMBERS = 2000

function memberRow(groupId: string, memberId: string): string {
  return JSON.stringify([groupId, memberId])
}

function groupIdOf(row: string, { id }: ShareMember): string | undefined {
  const suffix = `,${JSON.stringify(id)}]`
  if (!row.startsWith('[') || !row.endsWith(suffix)) return undefined
  try {
    const groupId: unknown = JSON.parse(row.slice(1, -suffix.length))
    return typeof groupId === 'string' ? groupId : undefined
  } catch {
    // Not what this broker writes.
    return undefined
  }
}

function isEpochs(_id: string, value: unknown): boolean {
  return (
    hasNumbers(value, 'epoch', 'assignmentEpoch') && 'fingerprint' in value && typeof value.fingerprint === 'string'
  )
}

/** The share groups (KIP-932). Members, assignments and where groups are in their partitions are durable, as in Apache Kafka. */
export class ShareGroups {
  readonly #options: ShareGroupsOptions
  readonly #groups = new Map<string, ShareGroup>()
  readonly partitions: SharePartitions

  constructor(options: ShareGroupsOptions) {
    this.#options = options
    const { state, clock, configOf } = options
    this.partitions = new SharePartitions({ state, clock, rulesOf: (groupId) => shareRules(configOf(groupId)) })
    this.#load(state)
  }

  #load(state: StateStore): void {
    const members = new Map<string, ShareMember[]>()
    const isMember = (row: string, value: unknown): boolean =>
      isStoredMember(value) && groupIdOf(row, value) !== undefined
    for (const [row, member] of state.checkedTable<ShareMember>(MEMBERS, isMember)) {
      const groupId = groupIdOf(row, member) ?? ''
      members.set(groupId, [...(members.get(groupId) ?? []), member])
    }
    for (const [id, epochs] of state.checkedTable<GroupEpochs>(GROUPS, isEpochs)) {
      this.#groups.set(id, this.#create(id, epochs, members.get(id)))
    }
  }

  #create(id: string, epochs?: GroupEpochs, members?: readonly ShareMember[]): ShareGroup {
    const { catalog, clock, maxGroupMembers, configOf } = this.#options
    const begin = (topics: ReadonlyMap<string, number>): void => {
      const keys = [...topics].flatMap(([topicId, count]) =>
        Array.from({ length: count }, (_, index) => ({ groupId: id, topicId, index })),
      )
      this.partitions.add(keys)
    }
    return new ShareGroup(
      {
        id,
        maxMembers: Math.min(maxGroupMembers, MAX_SHARE_GROUP_MEMBERS),
        catalog,
        clock,
        times: () => shareGroupTimes(configOf(id)),
        save: (...saved) => this.#save(id, ...saved),
        begin,
      },
      epochs,
      members,
    )
  }

  #save(groupId: string, epochs: GroupEpochs, changed: ReadonlyMap<string, ShareMember | null>): void {
    const members = [...changed].map(
      ([memberId, value]): Change => ({ table: MEMBERS, id: memberRow(groupId, memberId), value }),
    )
    this.#options.state.write([{ table: GROUPS, id: groupId, value: epochs }, ...members])
  }

  find(groupId: string): ShareGroup | undefined {
    return this.#groups.get(groupId)
  }

  get groupIds(): readonly string[] {
    return [...this.#groups.keys()]
  }

  /** @throws {ProtocolError} GROUP_ID_NOT_FOUND where there is none, or one of another protocol */
  require(groupId: string): ShareGroup {
    const group = this.#groups.get(groupId)
    if (group) return group
    const why = this.#options.isTaken(groupId) ? 'is not a share group' : 'not found'
    throw notFound(`Group ${groupId} ${why}.`)
  }

  /** @throws {ProtocolError} when the request is wrong, or from a member that is unknown, fenced or one too many */
  heartbeat(request: ShareHeartbeat, client: Pick<ShareSubscription, 'clientId' | 'clientHost'>): ShareHeartbeatAnswer {
    checkShareHeartbeat(request)
    return this.#open(request).heartbeat(request, client)
  }

  #open({ groupId, memberId, memberEpoch }: ShareHeartbeat): ShareGroup {
    const known = this.#groups.get(groupId)
    if (!known && this.#options.isTaken(groupId)) throw notFound(`Group ${groupId} is not a share group.`)
    if (!known && memberEpoch !== JOINS) {
      throw notFound(memberEpoch < JOINS ? `Group ${groupId} not found.` : `Share group ${groupId} not found.`)
    }
    const isNew = memberEpoch === JOINS && !known?.has(memberId)
    if (isNew && this.#memberCount >= MAX_MEMBERS) throw full('There are too many members.')
    if (known) return known
    if (this.#groups.size >= this.#options.maxGroups) throw full('There are too many groups.')
    const group = this.#create(groupId)
    this.#groups.set(groupId, group)
    return group
  }

  get #memberCount(): number {
    let count = 0
    for (const group of this.#groups.values()) count += group.size
    return count
  }

  /** For a group without members. */
  delete(groupId: string): void {
    this.#options.state.write([{ table: GROUPS, id: groupId, value: null }])
    this.#groups.delete(groupId)
    this.partitions.delete(this.partitions.of(groupId))
  }

  close(): void {
    for (const group of this.#groups.values()) group.close()
    this.partitions.close()
  }
}

function notFound(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.GROUP_ID_NOT_FOUND, message)
}

function full(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.GROUP_MAX_SIZE_REACHED, message)
}
