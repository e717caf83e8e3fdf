import type { Clock } from '../../clock.ts'
import { groupBy } from '../../group-by.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'
import { hasNumbers } from '../../storage/shapes.ts'
import type { Change, StateStore } from '../../storage/state-store.ts'
import type { TopicCatalog } from '../../topics/topic-catalog.ts'
import type { GroupEpochs, ModernGroup, ModernGroupOptions } from './modern-group.ts'
import type { ModernHeartbeat } from './modern-heartbeat.ts'
import { JOINS, type ModernMember } from './modern-member.ts'

export interface ModernGroupsOptions {
  readonly state: StateStore
  readonly catalog: TopicCatalog
  readonly clock: Clock
  readonly maxGroups: number
  /** In one group. */
  readonly maxGroupMembers: number
  /** True when there is a group of another protocol with this id. */
  readonly isTaken: (groupId: string) => boolean
}

/** In all groups together. */
const MAX_MEMBERS = 2000
const NAMES = { consumer: 'Consumer group', share: 'Share group' } as const

function memberRow(groupId: string, memberId: string): string {
  return JSON.stringify([groupId, memberId])
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

function isEpochs(_id: string, value: unknown): boolean {
  return (
    hasNumbers(value, 'epoch', 'assignmentEpoch') && 'fingerprint' in value && typeof value.fingerprint === 'string'
  )
}

/** The groups of one protocol in which the broker assigns. Members, epochs and assignments are durable, as in Apache Kafka. */
export abstract class ModernGroups<M extends ModernMember, G extends ModernGroup<M>> {
  readonly kind: 'consumer' | 'share'
  readonly #options: ModernGroupsOptions
  readonly #groups = new Map<string, G>()
  readonly #tables: { readonly groups: string; readonly members: string }

  constructor(kind: 'consumer' | 'share', options: ModernGroupsOptions) {
    this.kind = kind
    this.#options = options
    this.#tables = { groups: `${kind}-groups`, members: `${kind}-group-members` }
  }

  protected abstract create(options: Omit<ModernGroupOptions<M>, 'times'>): G

  /** Opens the groups that were kept. */
  protected load(isStoredMember: (value: unknown) => value is M): void {
    const { state } = this.#options
    const isMember = (row: string, value: unknown): boolean =>
      isStoredMember(value) && row === memberRow(groupIdOf(row) ?? '', value.id)
    const members = groupBy(state.checkedTable<M>(this.#tables.members, isMember), ([row]) => groupIdOf(row))
    for (const [id, epochs] of state.checkedTable<GroupEpochs>(this.#tables.groups, isEpochs)) {
      this.#add(id).restore(epochs, members.get(id)?.map(([, member]) => member) ?? [])
    }
  }

  #add(id: string): G {
    const { catalog, clock, maxGroupMembers: maxMembers } = this.#options
    const { kind } = this
    const group = this.create({ id, kind, maxMembers, catalog, clock, save: (...saved) => this.#save(id, ...saved) })
    this.#groups.set(id, group)
    return group
  }

  #save(groupId: string, epochs: GroupEpochs, changed: ReadonlyMap<string, M | null>): void {
    const { groups, members } = this.#tables
    const changes = [...changed].map(
      ([memberId, value]): Change => ({ table: members, id: memberRow(groupId, memberId), value }),
    )
    this.#options.state.write([{ table: groups, id: groupId, value: epochs }, ...changes])
  }

  get all(): readonly G[] {
    return [...this.#groups.values()]
  }

  get groupIds(): readonly string[] {
    return [...this.#groups.keys()]
  }

  find(groupId: string): G | undefined {
    return this.#groups.get(groupId)
  }

  get isFull(): boolean {
    return this.#groups.size >= this.#options.maxGroups
  }

  /**
   * The group of a heartbeat, which is created for the first one.
   * @throws {ProtocolError} GROUP_ID_NOT_FOUND, GROUP_MAX_SIZE_REACHED
   */
  protected open({ groupId, memberId, memberEpoch }: ModernHeartbeat): G {
    const known = this.#groups.get(groupId)
    if (!known && this.#options.isTaken(groupId)) throw notFound(`Group ${groupId} is not a ${this.kind} group.`)
    if (!known && memberEpoch !== JOINS) {
      throw notFound(`${memberEpoch < JOINS ? 'Group' : NAMES[this.kind]} ${groupId} not found.`)
    }
    const isNew = memberEpoch === JOINS && !known?.find(memberId)
    if (isNew && this.#memberCount >= MAX_MEMBERS) throw full('There are too many members.')
    if (known) return known
    this.makeRoom()
    if (this.isFull) throw full('There are too many groups.')
    return this.#add(groupId)
  }

  get #memberCount(): number {
    return this.all.reduce((sum, { size }) => sum + size, 0)
  }

  /** Called before a group is created. */
  protected makeRoom(): void {}

  /** Call for a group without members. */
  forget(groupId: string): void {
    if (!this.#groups.has(groupId)) return
    this.#options.state.write([{ table: this.#tables.groups, id: groupId, value: null }])
    this.#groups.delete(groupId)
  }

  /** Lets all groups go; what was kept of them stays. */
  close(): void {
    for (const group of this.all) group.close()
    this.#groups.clear()
  }
}

function notFound(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.GROUP_ID_NOT_FOUND, message)
}

function full(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.GROUP_MAX_SIZE_REACHED, message)
}
