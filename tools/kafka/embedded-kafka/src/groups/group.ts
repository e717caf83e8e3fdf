import { Alarms } from '../alarms.ts'
import type { Alarm } from '../clock.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { AwaitedSyncs } from './awaited-syncs.ts'
import { canShare, chooseProtocol } from './choose-protocol.ts'
import { Generation } from './generation.ts'
import { GroupMembers } from './group-members.ts'
import type { GroupOptions, GroupState } from './group-options.ts'
import {
  failedJoin,
  failedSync,
  type JoinRequest,
  type JoinResult,
  type SyncRequest,
  type SyncResult,
} from './join-and-sync.ts'
import { Member } from './member.ts'

/**
 * One consumer group: members join, one of them assigns the work, all sync, all heartbeat.
 * Same rules as Apache Kafka's classic GroupCoordinator, without an initial delay.
 */
export class Group {
  readonly id: string
  readonly #options: GroupOptions
  readonly #members = new GroupMembers()
  /** Ids that were given to clients and with which they have not joined yet; each expires (KIP-394). */
  readonly #pendingIds: Alarms
  readonly #awaitedSyncs: AwaitedSyncs
  #state: GroupState = 'Empty'
  readonly #generation = new Generation()
  /** Ends the wait for members that have not joined again. */
  #rebalance: Alarm | undefined

  constructor(options: GroupOptions) {
    this.id = options.id
    this.#options = options
    this.#pendingIds = new Alarms(options.clock)
    this.#awaitedSyncs = new AwaitedSyncs(options.clock, (late) => this.#remove(...late))
  }

  get state(): GroupState {
    return this.#state
  }

  get protocol(): Pick<Readonly<Generation>, 'id' | 'protocolType' | 'protocolName' | 'leaderId'> {
    return this.#generation
  }

  get members(): readonly Member[] {
    return this.#members.all
  }

  /** Number of members, including those that were given an id and have not joined yet. */
  get size(): number {
    return this.#members.size + this.#pendingIds.size
  }

  get isUnused(): boolean {
    return this.size === 0
  }

  /** Resolves when the rebalance this request takes part in is complete. */
  async join(request: JoinRequest): Promise<JoinResult> {
    const refusal = this.#joinRefusal(request)
    if (refusal !== undefined) return failedJoin(refusal, request.memberId)
    if (request.groupInstanceId !== null) return this.#joinStatic(request.groupInstanceId, request)
    if (request.memberId === '') return this.#joinNew(request)
    const member = this.#members.get(request.memberId)
    if (member) return this.#rejoin(member, request)
    if (!this.#pendingIds.clear(request.memberId)) return failedJoin(ErrorCode.UNKNOWN_MEMBER_ID, request.memberId)
    return this.#add(request.memberId, request)
  }

  /** A static member (KIP-345): its instance id stays over restarts, and with it its place in the group. */
  #joinStatic(instanceId: string, request: JoinRequest): Promise<JoinResult> | JoinResult {
    const current = this.#members.byInstance(instanceId)
    if (request.memberId === '') {
      const memberId = this.#options.newMemberId(request.clientId)
      return current ? this.#replace(current, memberId, request) : this.#add(memberId, request)
    }
    if (!current) return failedJoin(ErrorCode.UNKNOWN_MEMBER_ID, request.memberId)
    if (current.id !== request.memberId) return failedJoin(ErrorCode.FENCED_INSTANCE_ID, request.memberId)
    return this.#rejoin(current, request)
  }

  /** The same instance is back as a new process: it takes over what it was assigned, without a rebalance. */
  #replace(old: Member, memberId: string, request: JoinRequest): Promise<JoinResult> | JoinResult {
    const member = new Member(memberId, request, this.#options.clock, (expired) => this.#remove(expired))
    this.#members.replace(old, member)
    this.#awaitedSyncs.forget(old)
    if (this.#generation.leaderId === old.id) this.#generation.leaderId = memberId
    if (this.#state === 'Stable' && chooseProtocol(this.members) === this.#generation.protocolName) {
      member.heartbeat()
      this.#options.onSettled()
      const { knowsSkipAssignment } = request
      return this.#generation.resumed(member, { formerId: old.id, knowsSkipAssignment, members: this.members })
    }
    return this.#joinNext(member)
  }

  #joinRefusal(request: JoinRequest): ErrorCode | undefined {
    const self = this.#members.byInstance(request.groupInstanceId)?.id ?? request.memberId
    const isNew = !this.#members.has(self) && !this.#pendingIds.has(request.memberId)
    if (isNew && this.size >= this.#options.maxMembers) return ErrorCode.GROUP_MAX_SIZE_REACHED
    const others = this.members.filter((member) => member.id !== self)
    const isSameType = this.#members.size === 0 || request.protocolType === this.#generation.protocolType
    return isSameType && canShare(request, others) ? undefined : ErrorCode.INCONSISTENT_GROUP_PROTOCOL
  }

  #joinNew(request: JoinRequest): Promise<JoinResult> | JoinResult {
    const memberId = this.#options.newMemberId(request.clientId)
    if (!request.requireKnownMemberId) return this.#add(memberId, request)
    this.#pendingIds.set(memberId, request.sessionTimeoutMs, () => this.#completeWhenAllJoined())
    return failedJoin(ErrorCode.MEMBER_ID_REQUIRED, memberId)
  }

  #add(memberId: string, request: JoinRequest): Promise<JoinResult> {
    const member = new Member(memberId, request, this.#options.clock, (expired) => this.#remove(expired))
    this.#generation.protocolType = request.protocolType
    this.#members.set(member.id, member)
    return this.#joinNext(member)
  }

  #rejoin(member: Member, request: JoinRequest): Promise<JoinResult> | JoinResult {
    const unchanged = member.offersSame(request.protocols)
    const keepsGeneration =
      unchanged &&
      (this.#state === 'CompletingRebalance' || (this.#state === 'Stable' && member.id !== this.#generation.leaderId))
    member.update(request)
    if (keepsGeneration) {
      member.heartbeat()
      return this.#generation.joined(member, this.members)
    }
    member.dismiss(ErrorCode.REBALANCE_IN_PROGRESS)
    return this.#joinNext(member)
  }

  /** Has a member wait for the next generation. */
  #joinNext(member: Member): Promise<JoinResult> {
    const joined = member.awaitJoin()
    this.#startRebalance()
    return joined
  }

  #startRebalance(): void {
    if (this.#state !== 'PreparingRebalance') {
      this.#state = 'PreparingRebalance'
      this.#awaitedSyncs.end()
      for (const member of this.members) {
        member.assignment = Buffer.alloc(0)
        member.answerSync(failedSync(ErrorCode.REBALANCE_IN_PROGRESS))
      }
      this.#rebalance = this.#options.clock.setAlarm(this.#members.rebalanceTimeoutMs, () => this.#completeJoin())
    }
    this.#completeWhenAllJoined()
  }

  #completeWhenAllJoined(): void {
    if (this.#state !== 'PreparingRebalance' || this.#pendingIds.size > 0) return
    if (this.members.every((member) => member.isJoining)) this.#completeJoin()
  }

  #completeJoin(): void {
    this.#rebalance?.clear()
    this.#members.dropAbsent()
    if (this.#members.areAllAbsent) {
      this.#rebalance = this.#options.clock.setAlarm(this.#members.absenceCheckMs, () => this.#completeJoin())
      return
    }
    const { members } = this
    this.#generation.begin(members)
    this.#state = members.length === 0 ? 'Empty' : 'CompletingRebalance'
    for (const member of members) member.answerJoin(this.#generation.joined(member, members))
    this.#awaitedSyncs.begin(members, this.#members.rebalanceTimeoutMs)
    if (members.length === 0) this.#options.onSettled()
  }

  /** Resolves with the member's assignment once the leader has sent all of them. */
  async sync(request: SyncRequest): Promise<SyncResult> {
    const refusal = this.memberRefusal(request.memberId, request.generationId, request.groupInstanceId)
    const member = this.#members.get(request.memberId)
    if (!member || refusal !== undefined) return failedSync(refusal ?? ErrorCode.UNKNOWN_MEMBER_ID)
    if (!this.#generation.matches(request)) return failedSync(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
    if (this.#state === 'PreparingRebalance') return failedSync(ErrorCode.REBALANCE_IN_PROGRESS)
    this.#awaitedSyncs.forget(member)
    if (this.#state === 'Stable') {
      member.heartbeat()
      return this.#generation.synced(member)
    }
    const synced = member.awaitSync()
    if (member.id === this.#generation.leaderId) this.#assign(request.assignments)
    return synced
  }

  #assign(assignments: SyncRequest['assignments']): void {
    this.#members.assign(assignments)
    this.#state = 'Stable'
    this.#options.onSettled()
    for (const member of this.members) member.answerSync(this.#generation.synced(member))
  }

  heartbeat(memberId: string, generationId: number, instanceId: string | null = null): ErrorCode {
    const refusal = this.memberRefusal(memberId, generationId, instanceId)
    if (refusal !== undefined) return refusal
    this.#members.get(memberId)?.heartbeat()
    return this.#state === 'PreparingRebalance' ? ErrorCode.REBALANCE_IN_PROGRESS : ErrorCode.NONE
  }

  /** Why a request that names this member and generation is refused; undefined when it is not. */
  memberRefusal(memberId: string, generationId: number, instanceId: string | null = null): ErrorCode | undefined {
    const refusal = this.#members.refusal(memberId, instanceId)
    return refusal ?? (generationId === this.#generation.id ? undefined : ErrorCode.ILLEGAL_GENERATION)
  }

  /** Commits count as signs of life. */
  touch(memberId: string): void {
    this.#members.get(memberId)?.heartbeat()
  }

  /** A static member may be named by its instance id alone, as administrators do. */
  leave(memberId: string, instanceId: string | null = null): ErrorCode {
    const fenced = memberId === '' ? undefined : this.#members.instanceRefusal(instanceId, memberId)
    if (fenced !== undefined) return fenced
    if (this.#pendingIds.clear(memberId)) {
      this.#completeWhenAllJoined()
      return ErrorCode.NONE
    }
    const member = this.#members.byInstance(instanceId) ?? this.#members.get(memberId)
    if (!member) return ErrorCode.UNKNOWN_MEMBER_ID
    this.#remove(member)
    return ErrorCode.NONE
  }

  #remove(...members: readonly Member[]): void {
    for (const member of members) {
      member.dismiss(ErrorCode.UNKNOWN_MEMBER_ID)
      this.#members.delete(member.id)
    }
    this.#startRebalance()
  }

  close(): void {
    this.#rebalance?.clear()
    this.#awaitedSyncs.end()
    for (const member of this.members) member.dismiss(ErrorCode.COORDINATOR_NOT_AVAILABLE)
    this.#members.clear()
    this.#pendingIds.clearAll()
  }
}
