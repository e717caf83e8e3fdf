import type { Clock } from '../../clock.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'
import { groupTimes } from '../../settings/group-settings.ts'
import { hasNumbers } from '../../storage/shapes.ts'
import type { Change, StateStore } from '../../storage/state-store.ts'
import type { TopicCatalog } from '../../topics/topic-catalog.ts'
import { TopicRegex } from '../regex/topic-regex.ts'
import { ConsumerGroup } from './consumer-group.ts'
import type { GroupEpochs } from './consumer-group-options.ts'
import { type ConsumerMember, isStoredMember, JOINS, type Subscription } from './consumer-member.ts'
import { GroupConfigs } from './group-configs.ts'
import { checkHeartbeat, type HeartbeatAnswer, type HeartbeatRequest } from './heartbeat.ts'

export interface ConsumerGroupsOptions {
  readonly state: StateStore
  readonly catalog: TopicCatalog
  readonly clock: Clock
  readonly maxGroups: number
  /** In one group. */
  readonly maxGroupMembers: number
  /** Of the classic protocol: they have the same ids, and one that is empty gives way. */
  readonly classic: {
    isUsed(groupId: string): boolean
    forget(groupId: string): void
  }
  readonly hasOffsets: (groupId: string) => boolean
}

const GROUPS = 'consumer-groups'
const MEMBERS = 'consumer-group-members'
/** In all groups together. */
const MAX_MEMBERS = 2000

function memberRow(groupId: string, memberId: string): string {
  return JSON.stringify([groupId, memberId])
}

function isEpochs(_id: string, value: unknown): boolean {
  return (
    hasNumbers(value, 'epoch', 'assignmentEpoch') && 'fingerprint' in value && typeof value.fingerprint === 'string'
  )
}

/** The groups of the newer protocol (KIP-848). Members, epochs and assignments are durable, as in Apache Kafka. */
export class ConsumerGroups {
  readonly #options: ConsumerGroupsOptions
  readonly #groups = new Map<string, ConsumerGroup>()
  readonly configs: GroupConfigs

  constructor(options: ConsumerGroupsOptions) {
    this.#options = options
    this.configs = new GroupConfigs(options.state, options.maxGroups)
    this.#load(options.state)
  }

  #load(state: StateStore): void {
    const members = new Map<string, ConsumerMember[]>()
    const isOfGroup = (id: string, value: unknown): boolean => {
      if (!isStoredMember(value)) return false
      const groupId = groupIdOf(id)
      return groupId !== undefined && id === memberRow(groupId, value.id)
    }
    for (const [id, member] of state.checkedTable<ConsumerMember>(MEMBERS, isOfGroup)) {
      const groupId = groupIdOf(id) ?? ''
      members.set(groupId, [...(members.get(groupId) ?? []), member])
    }
    for (const [id, epochs] of state.checkedTable<GroupEpochs>(GROUPS, isEpochs)) {
      this.#groups.set(id, this.#create(id, epochs, members.get(id)))
    }
  }

  #create(id: string, epochs?: GroupEpochs, members?: readonly ConsumerMember[]): ConsumerGroup {
    const { catalog, clock, maxGroupMembers: maxMembers } = this.#options
    const times = () => groupTimes(this.configs.of(id))
    return new ConsumerGroup(
      { id, maxMembers, catalog, clock, times, save: (...saved) => this.#save(id, ...saved) },
      epochs,
      members,
    )
  }

  #save(groupId: string, epochs: GroupEpochs, changed: ReadonlyMap<string, ConsumerMember | null>): void {
    const members = [...changed].map(
      ([memberId, value]): Change => ({ table: MEMBERS, id: memberRow(groupId, memberId), value }),
    )
    this.#options.state.write([{ table: GROUPS, id: groupId, value: epochs }, ...members])
  }

  find(groupId: string): ConsumerGroup | undefined {
    return this.#groups.get(groupId)
  }

  get groupIds(): readonly string[] {
    return [...this.#groups.keys()]
  }

  get size(): number {
    return this.#groups.size
  }

  /** @throws {ProtocolError} when the request is wrong, or from a member that is unknown, fenced or one too many */
  async heartbeat(
    request: HeartbeatRequest,
    client: Pick<Subscription, 'clientId' | 'clientHost'>,
  ): Promise<HeartbeatAnswer> {
    checkHeartbeat(request)
    const { subscribedTopicRegex } = request
    // Checked before there is a group for it.
    if (subscribedTopicRegex) new TopicRegex(subscribedTopicRegex)
    let group = this.#open(request)
    while (request.memberEpoch >= JOINS && !group.hasMatchedTopics(subscribedTopicRegex)) {
      await group.matchTopics(subscribedTopicRegex)
      group = this.#open(request)
    }
    return group.heartbeat(request, client)
  }

  #open({ groupId, memberId, memberEpoch }: HeartbeatRequest): ConsumerGroup {
    const known = this.#groups.get(groupId)
    const isClassic = this.#options.classic.isUsed(groupId)
    if (isClassic) throw notFound(`Group ${groupId} is not a consumer group.`)
    if (!known && memberEpoch !== JOINS)
      throw notFound(memberEpoch < JOINS ? `Group ${groupId} not found.` : `Consumer group ${groupId} not found.`)
    const isNew = known === undefined || !known.members.some(({ id }) => id === memberId)
    if (memberEpoch === JOINS && isNew && this.#memberCount >= MAX_MEMBERS) throw full('There are too many members.')
    if (known) return known
    this.#forgetUnused()
    if (this.#groups.size >= this.#options.maxGroups) throw full('There are too many groups.')
    const group = this.#create(groupId)
    this.#options.classic.forget(groupId)
    this.#groups.set(groupId, group)
    return group
  }

  get #memberCount(): number {
    let count = 0
    for (const group of this.#groups.values()) count += group.size
    return count
  }

  #forgetUnused(): void {
    if (this.#groups.size < this.#options.maxGroups) return
    for (const { id, size } of this.#groups.values()) {
      if (size === 0 && !this.#options.hasOffsets(id)) this.forget(id)
    }
  }

  /** For a group without members. */
  forget(groupId: string): void {
    if (!this.#groups.delete(groupId)) return
    this.#options.state.write([{ table: GROUPS, id: groupId, value: null }])
  }

  close(): void {
    for (const group of this.#groups.values()) group.close()
  }
}

function groupIdOf(row: string): string | undefined {
  try {
    const [groupId] = JSON.parse(row) as readonly unknown[]
    return typeof groupId === 'string' ? groupId : undefined
  } catch {
    // Not what this broker writes.
    return undefined
  }
}

function notFound(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.GROUP_ID_NOT_FOUND, message)
}

function full(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.GROUP_MAX_SIZE_REACHED, message)
}
