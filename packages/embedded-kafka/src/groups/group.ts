import { ErrorCode } from '../protocol/error-code.ts'
import { failedJoin, failedSync, type JoinRequest, type JoinResult, Member, type SyncResult } from './member.ts'

/** The states of Apache Kafka's classic group protocol, under the names DescribeGroups uses. */
export type GroupState = 'Empty' | 'PreparingRebalance' | 'CompletingRebalance' | 'Stable'

/** What a group needs from its surroundings. */
export interface GroupOptions {
  readonly id: string
  readonly maxMembers: number
  readonly newMemberId: (clientId: string) => string
}

/** A SyncGroup request as the group sees it. */
export interface SyncRequest {
  readonly memberId: string
  readonly generationId: number
  readonly protocolType: string | null
  readonly protocolName: string | null
  readonly assignments: readonly { readonly memberId: string; readonly assignment: Buffer }[]
}

/**
 * One consumer group: members join, one of them assigns the work, all sync, all heartbeat.
 * Same rules as Apache Kafka's classic GroupCoordinator, without static members and without an initial delay.
 */
export class Group {
  readonly id: string
  readonly #options: GroupOptions
  readonly #members = new Map<string, Member>()
  /** Ids handed out to clients that have not joined with them yet, each with its time limit. */
  readonly #pendingIds = new Map<string, NodeJS.Timeout>()
  #state: GroupState = 'Empty'
  #generationId = 0
  #protocolType = ''
  #protocolName: string | null = null
  #leaderId = ''
  #rebalance: NodeJS.Timeout | undefined

  constructor(options: GroupOptions) {
    this.id = options.id
    this.#options = options
  }

  get state(): GroupState {
    return this.#state
  }

  get protocolType(): string {
    return this.#protocolType
  }

  get protocolName(): string | null {
    return this.#protocolName
  }

  get members(): readonly Member[] {
    return [...this.#members.values()]
  }

  /** Nobody is in it or on the way into it. */
  get isUnused(): boolean {
    return this.#members.size === 0 && this.#pendingIds.size === 0
  }

  /** Resolves when the rebalance this request takes part in is complete. */
  async join(request: JoinRequest): Promise<JoinResult> {
    const refusal = this.#joinRefusal(request)
    if (refusal !== undefined) return { ...failedJoin(refusal), memberId: request.memberId }
    if (request.memberId === '') return this.#joinNew(request)
    const member = this.#members.get(request.memberId)
    if (member) return this.#rejoin(member, request)
    if (!this.#pendingIds.has(request.memberId)) {
      return { ...failedJoin(ErrorCode.UNKNOWN_MEMBER_ID), memberId: request.memberId }
    }
    this.#forgetPending(request.memberId)
    return this.#add(request.memberId, request)
  }

  #joinRefusal(request: JoinRequest): ErrorCode | undefined {
    const isNew = !this.#members.has(request.memberId)
    const size = this.#members.size + this.#pendingIds.size
    if (isNew && !this.#pendingIds.has(request.memberId) && size >= this.#options.maxMembers) {
      return ErrorCode.GROUP_MAX_SIZE_REACHED
    }
    if (request.protocolType === '' || request.protocols.length === 0) return ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    if (this.#members.size === 0) return undefined
    if (request.protocolType !== this.#protocolType) return ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    const others = this.members.filter((member) => member.id !== request.memberId)
    const common = request.protocols.some(({ name }) => others.every((member) => offers(member, name)))
    return common ? undefined : ErrorCode.INCONSISTENT_GROUP_PROTOCOL
  }

  #joinNew(request: JoinRequest): Promise<JoinResult> | JoinResult {
    const memberId = this.#options.newMemberId(request.clientId)
    if (!request.requireKnownMemberId) return this.#add(memberId, request)
    this.#pendingIds.set(
      memberId,
      setTimeout(() => {
        this.#forgetPending(memberId)
        this.#completeWhenAllJoined()
      }, request.sessionTimeoutMs),
    )
    return { ...failedJoin(ErrorCode.MEMBER_ID_REQUIRED), memberId }
  }

  #forgetPending(memberId: string): boolean {
    clearTimeout(this.#pendingIds.get(memberId))
    return this.#pendingIds.delete(memberId)
  }

  #add(memberId: string, request: JoinRequest): Promise<JoinResult> {
    const member = new Member(memberId, request, (expired) => this.#remove(expired))
    this.#protocolType = request.protocolType
    this.#members.set(memberId, member)
    const joined = member.awaitJoin()
    this.#startRebalance()
    return joined
  }

  #rejoin(member: Member, request: JoinRequest): Promise<JoinResult> | JoinResult {
    const unchanged = member.offersSame(request.protocols)
    const keepsGeneration =
      unchanged && (this.#state === 'CompletingRebalance' || (this.#state === 'Stable' && member.id !== this.#leaderId))
    member.update(request)
    if (keepsGeneration) {
      member.heartbeat()
      return this.#joined(member)
    }
    member.dismiss(ErrorCode.REBALANCE_IN_PROGRESS)
    const joined = member.awaitJoin()
    this.#startRebalance()
    return joined
  }

  #startRebalance(): void {
    if (this.#state !== 'PreparingRebalance') {
      this.#state = 'PreparingRebalance'
      for (const member of this.#members.values()) {
        member.assignment = Buffer.alloc(0)
        member.answerSync(failedSync(ErrorCode.REBALANCE_IN_PROGRESS))
      }
      const longest = Math.max(0, ...this.members.map((member) => member.rebalanceTimeoutMs))
      this.#rebalance = setTimeout(() => this.#completeJoin(), longest)
    }
    this.#completeWhenAllJoined()
  }

  #completeWhenAllJoined(): void {
    if (this.#state !== 'PreparingRebalance' || this.#pendingIds.size > 0) return
    if (this.members.every((member) => member.isJoining)) this.#completeJoin()
  }

  #completeJoin(): void {
    clearTimeout(this.#rebalance)
    for (const member of this.members) {
      if (member.isJoining) continue
      member.dismiss(ErrorCode.UNKNOWN_MEMBER_ID)
      this.#members.delete(member.id)
    }
    this.#generationId++
    const [first] = this.#members.values()
    if (!first) {
      this.#state = 'Empty'
      this.#protocolName = null
      this.#leaderId = ''
      return
    }
    if (!this.#members.has(this.#leaderId)) this.#leaderId = first.id
    this.#protocolName = this.#chooseProtocol()
    this.#state = 'CompletingRebalance'
    for (const member of this.members) member.answerJoin(this.#joined(member))
  }

  /** Every member votes for its first offer that all share; the first of those with the most votes wins. */
  #chooseProtocol(): string {
    const votes = new Map<string, number>()
    for (const member of this.members) {
      const vote = member.protocols.find(({ name }) => this.members.every((other) => offers(other, name)))
      if (vote) votes.set(vote.name, (votes.get(vote.name) ?? 0) + 1)
    }
    const [winner] = [...votes].sort((a, b) => b[1] - a[1])
    return winner?.[0] ?? ''
  }

  #joined(member: Member): JoinResult {
    const protocolName = this.#protocolName ?? ''
    const isLeader = member.id === this.#leaderId
    return {
      errorCode: ErrorCode.NONE,
      generationId: this.#generationId,
      protocolType: this.#protocolType,
      protocolName,
      leader: this.#leaderId,
      memberId: member.id,
      members: isLeader
        ? this.members.map((each) => ({ memberId: each.id, metadata: each.metadataFor(protocolName) }))
        : [],
    }
  }

  /** Resolves with the member's assignment once the leader has sent all of them. */
  async sync(request: SyncRequest): Promise<SyncResult> {
    const member = this.#members.get(request.memberId)
    if (!member) return failedSync(ErrorCode.UNKNOWN_MEMBER_ID)
    if (request.generationId !== this.#generationId) return failedSync(ErrorCode.ILLEGAL_GENERATION)
    if (
      (request.protocolType !== null && request.protocolType !== this.#protocolType) ||
      (request.protocolName !== null && request.protocolName !== this.#protocolName)
    ) {
      return failedSync(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
    }
    if (this.#state === 'Stable') {
      member.heartbeat()
      return this.#synced(member)
    }
    if (this.#state !== 'CompletingRebalance') return failedSync(ErrorCode.REBALANCE_IN_PROGRESS)
    const synced = member.awaitSync()
    if (member.id === this.#leaderId) this.#assign(request.assignments)
    return synced
  }

  #assign(assignments: SyncRequest['assignments']): void {
    for (const { memberId, assignment } of assignments) {
      const member = this.#members.get(memberId)
      if (member) member.assignment = Buffer.from(assignment)
    }
    this.#state = 'Stable'
    for (const member of this.members) member.answerSync(this.#synced(member))
  }

  #synced(member: Member): SyncResult {
    return {
      errorCode: ErrorCode.NONE,
      protocolType: this.#protocolType,
      protocolName: this.#protocolName,
      assignment: member.assignment,
    }
  }

  heartbeat(memberId: string, generationId: number): ErrorCode {
    const refusal = this.memberRefusal(memberId, generationId)
    if (refusal !== undefined) return refusal
    this.#members.get(memberId)?.heartbeat()
    return this.#state === 'PreparingRebalance' ? ErrorCode.REBALANCE_IN_PROGRESS : ErrorCode.NONE
  }

  /** Why a request in the name of this member and generation must be refused, if it must. */
  memberRefusal(memberId: string, generationId: number): ErrorCode | undefined {
    if (!this.#members.has(memberId)) return ErrorCode.UNKNOWN_MEMBER_ID
    if (generationId !== this.#generationId) return ErrorCode.ILLEGAL_GENERATION
    return undefined
  }

  /** Commits count as signs of life. */
  touch(memberId: string): void {
    this.#members.get(memberId)?.heartbeat()
  }

  leave(memberId: string): ErrorCode {
    if (this.#forgetPending(memberId)) {
      this.#completeWhenAllJoined()
      return ErrorCode.NONE
    }
    const member = this.#members.get(memberId)
    if (!member) return ErrorCode.UNKNOWN_MEMBER_ID
    this.#remove(member)
    return ErrorCode.NONE
  }

  #remove(member: Member): void {
    member.dismiss(ErrorCode.UNKNOWN_MEMBER_ID)
    this.#members.delete(member.id)
    this.#startRebalance()
  }

  /** Ends all timers and waits. */
  close(): void {
    clearTimeout(this.#rebalance)
    for (const timer of this.#pendingIds.values()) clearTimeout(timer)
    for (const member of this.members) member.dismiss(ErrorCode.COORDINATOR_NOT_AVAILABLE)
    this.#members.clear()
    this.#pendingIds.clear()
  }
}

function offers(member: Member, protocolName: string): boolean {
  return member.protocols.some(({ name }) => name === protocolName)
}
