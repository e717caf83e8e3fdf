import type { Clock } from '../clock.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { MAX_ID_CHARACTERS } from '../protocol/limits.ts'
import type { SessionLimits } from '../settings/session-limits.ts'
import type { PartitionOffset } from './committed-offset.ts'
import type { ConsumerGroups } from './consumer/consumer-groups.ts'
import { Group } from './group.ts'
import type { GroupLog } from './group-log.ts'
import {
  failedJoin,
  failedSync,
  type JoinRequest,
  type JoinResult,
  type SyncRequest,
  type SyncResult,
} from './join-and-sync.ts'
import { isWithinLimits, MAX_ASSIGNMENT_BYTES } from './join-limits.ts'
import type { OffsetStore } from './offset-store.ts'
import type { ShareGroups } from './share/share-groups.ts'

/** The author of a commit: a member of a generation, or (without id, in generation -1) a consumer outside of group management. */
export interface Committer {
  readonly groupId: string
  readonly memberId: string
  readonly groupInstanceId: string | null
  /** Of a member of the newer protocol: its epoch. */
  readonly generationId: number
}

export interface GroupCoordinatorOptions {
  readonly clock: Clock
  readonly offsets: OffsetStore
  readonly log: GroupLog
  /** Of the newer protocol (KIP-848). */
  readonly consumers: ConsumerGroups
  /** KIP-932. */
  readonly shares: ShareGroups
  readonly newMemberId: (clientId: string) => string
  readonly sessions: SessionLimits
  readonly maxGroups: number
  /** In one group. */
  readonly maxGroupMembers: number
}

/** In all groups together. */
const MAX_MEMBERS = 2000

/** All consumer groups of the broker. Members are in memory only, offsets are durable. */
export class GroupCoordinator {
  readonly #options: GroupCoordinatorOptions
  readonly #groups = new Map<string, Group>()

  constructor(options: GroupCoordinatorOptions) {
    this.#options = options
  }

  get offsets(): OffsetStore {
    return this.#options.offsets
  }

  get consumers(): ConsumerGroups {
    return this.#options.consumers
  }

  get shares(): ShareGroups {
    return this.#options.shares
  }

  async join(groupId: string, request: JoinRequest): Promise<JoinResult> {
    const refusal = this.#joinRefusal(groupId, request)
    if (refusal !== undefined) return failedJoin(refusal, request.memberId)
    return this.#open(groupId).join(request)
  }

  #joinRefusal(groupId: string, request: JoinRequest): ErrorCode | undefined {
    if (groupId === '' || groupId.length > MAX_ID_CHARACTERS) return ErrorCode.INVALID_GROUP_ID
    if (!isWithinLimits(request)) return ErrorCode.INVALID_REQUEST
    const { sessionTimeoutMs } = request
    const { minMs, maxMs } = this.#options.sessions
    if (sessionTimeoutMs < minMs || sessionTimeoutMs > maxMs) return ErrorCode.INVALID_SESSION_TIMEOUT
    // As Apache Kafka with group.consumer.migration.policy=disabled: only a group without members changes its protocol.
    if (this.shares.find(groupId)) return ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    if ((this.consumers.find(groupId)?.size ?? 0) > 0) return ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    if (request.memberId === '' && this.#memberCount >= MAX_MEMBERS) return ErrorCode.GROUP_MAX_SIZE_REACHED
    if (this.#groups.has(groupId)) return undefined
    this.#forgetUnused()
    if (request.memberId !== '') return ErrorCode.UNKNOWN_MEMBER_ID
    return this.#groups.size >= this.#options.maxGroups ? ErrorCode.GROUP_MAX_SIZE_REACHED : undefined
  }

  #open(groupId: string): Group {
    const { clock, maxGroupMembers: maxMembers, newMemberId, log } = this.#options
    const onSettled = () => log.settled(group, { hasOffsets: this.offsets.has(groupId) })
    const group = this.#groups.get(groupId) ?? new Group({ id: groupId, clock, maxMembers, newMemberId, onSettled })
    this.#groups.set(groupId, group)
    this.consumers.forget(groupId)
    return group
  }

  #forgetUnused(): void {
    if (this.#groups.size < this.#options.maxGroups) return
    for (const group of this.#groups.values()) if (group.isUnused) this.#groups.delete(group.id)
  }

  /** Members of all groups, with those that were given an id and have not joined yet. */
  get #memberCount(): number {
    let count = 0
    for (const group of this.#groups.values()) count += group.size
    return count
  }

  async sync(groupId: string, request: SyncRequest): Promise<SyncResult> {
    if (request.assignments.some(({ assignment }) => assignment.length > MAX_ASSIGNMENT_BYTES)) {
      return failedSync(ErrorCode.INVALID_REQUEST)
    }
    const group = this.#groups.get(groupId)
    return group ? group.sync(request) : failedSync(ErrorCode.UNKNOWN_MEMBER_ID)
  }

  heartbeat({ groupId, memberId, generationId, groupInstanceId }: Committer): ErrorCode {
    return this.#groups.get(groupId)?.heartbeat(memberId, generationId, groupInstanceId) ?? ErrorCode.UNKNOWN_MEMBER_ID
  }

  leave(groupId: string, memberId: string, instanceId: string | null): ErrorCode {
    return this.#groups.get(groupId)?.leave(memberId, instanceId) ?? ErrorCode.UNKNOWN_MEMBER_ID
  }

  /** Why this committer's offsets are refused; undefined when they are accepted, which counts as a sign of life. */
  commitRefusal({ groupId, memberId, generationId, groupInstanceId }: Committer): ErrorCode | undefined {
    if (this.shares.find(groupId)) return ErrorCode.GROUP_ID_NOT_FOUND
    const consumers = this.consumers.find(groupId)
    if (consumers) return consumers.memberRefusal(memberId, generationId)
    const group = this.#groups.get(groupId)
    const isOutsider = generationId < 0 && memberId === ''
    if (!group || group.isUnused) {
      if (generationId < 0) return undefined
      return group ? ErrorCode.UNKNOWN_MEMBER_ID : ErrorCode.ILLEGAL_GENERATION
    }
    if (isOutsider) return ErrorCode.UNKNOWN_MEMBER_ID
    const refusal = group.memberRefusal(memberId, generationId, groupInstanceId)
    if (refusal !== undefined) return refusal
    if (group.state === 'CompletingRebalance') return ErrorCode.REBALANCE_IN_PROGRESS
    group.touch(memberId)
    return undefined
  }

  commit(committer: Committer, offsets: readonly PartitionOffset[]): ErrorCode {
    const refusal =
      committer.groupId.length > MAX_ID_CHARACTERS ? ErrorCode.INVALID_GROUP_ID : this.commitRefusal(committer)
    if (refusal !== undefined) return refusal
    if (!this.offsets.hasRoomFor(committer.groupId, offsets)) return ErrorCode.GROUP_MAX_SIZE_REACHED
    if (!this.#isRoomFor(committer.groupId)) return ErrorCode.GROUP_MAX_SIZE_REACHED
    if (offsets.length > 0) this.offsets.commit(committer.groupId, offsets)
    return ErrorCode.NONE
  }

  #isRoomFor(groupId: string): boolean {
    return this.offsets.has(groupId) || this.offsets.groupCount < this.#options.maxGroups
  }

  find(groupId: string): Group | undefined {
    return this.#groups.get(groupId)
  }

  /** Ids of all share groups, and of the others that have members or committed offsets. */
  get groupIds(): readonly string[] {
    const used = [...this.#groups.values()].filter((group) => !group.isUnused).map((group) => group.id)
    return [...new Set([...used, ...this.consumers.groupIds, ...this.shares.groupIds, ...this.offsets.groupIds])]
  }

  /** Lets a group without members go. */
  forget(groupId: string): void {
    this.#groups.get(groupId)?.close()
    if (this.#groups.delete(groupId)) this.#options.log.gone(groupId)
  }

  /** Whether there is a group, with members or committed offsets. */
  has(groupId: string): boolean {
    return this.shares.find(groupId) !== undefined || this.hasReader(groupId)
  }

  /** Whether there is a group of consumers, with members or committed offsets. */
  hasReader(groupId: string): boolean {
    const group = this.#groups.get(groupId)
    const isClassic = group !== undefined && !group.isUnused
    return isClassic || this.consumers.find(groupId) !== undefined || this.offsets.has(groupId)
  }

  delete(groupId: string): ErrorCode {
    const shares = this.shares.find(groupId)
    if (shares && shares.size > 0) return ErrorCode.NON_EMPTY_GROUP
    if (shares) {
      this.shares.forget(groupId)
      return ErrorCode.NONE
    }
    const group = this.#groups.get(groupId)
    const consumers = this.consumers.find(groupId)
    if ((group && !group.isUnused) || (consumers && consumers.size > 0)) return ErrorCode.NON_EMPTY_GROUP
    if (!group && !consumers && !this.offsets.has(groupId)) return ErrorCode.GROUP_ID_NOT_FOUND
    this.consumers.forget(groupId)
    this.#groups.delete(groupId)
    this.offsets.deleteGroup(groupId)
    return ErrorCode.NONE
  }

  close(): void {
    for (const group of this.#groups.values()) group.close()
    this.consumers.close()
    this.shares.close()
    this.#groups.clear()
  }
}
