import { ErrorCode } from '../protocol/error-code.ts'
import { Group } from './group.ts'
import {
  failedJoin,
  failedSync,
  type JoinRequest,
  type JoinResult,
  type SyncRequest,
  type SyncResult,
} from './member.ts'
import type { OffsetStore, PartitionOffset } from './offset-store.ts'

const MAX_SESSION_TIMEOUT_MS = 1_800_000

/** Who commits: a member of a generation, or (-1 and no id) somebody who assigns partitions to itself. */
export interface Committer {
  readonly groupId: string
  readonly memberId: string
  readonly groupInstanceId: string | null
  readonly generationId: number
}

/** What the coordinator needs from its surroundings. */
export interface GroupCoordinatorOptions {
  readonly offsets: OffsetStore
  readonly newMemberId: (clientId: string) => string
  readonly maxGroups: number
  readonly maxGroupMembers: number
}

/** All consumer groups of the broker. Membership lives in memory; offsets are durable. */
export class GroupCoordinator {
  readonly #options: GroupCoordinatorOptions
  readonly #groups = new Map<string, Group>()

  constructor(options: GroupCoordinatorOptions) {
    this.#options = options
  }

  get offsets(): OffsetStore {
    return this.#options.offsets
  }

  async join(groupId: string, request: JoinRequest): Promise<JoinResult> {
    const refusal = this.#joinRefusal(groupId, request)
    if (refusal !== undefined) return failedJoin(refusal, request.memberId)
    return this.#open(groupId).join(request)
  }

  #joinRefusal(groupId: string, request: JoinRequest): ErrorCode | undefined {
    if (groupId === '') return ErrorCode.INVALID_GROUP_ID
    const { sessionTimeoutMs } = request
    if (sessionTimeoutMs <= 0 || sessionTimeoutMs > MAX_SESSION_TIMEOUT_MS) return ErrorCode.INVALID_SESSION_TIMEOUT
    if (this.#groups.has(groupId)) return undefined
    this.#forgetUnused()
    if (request.memberId !== '') return ErrorCode.UNKNOWN_MEMBER_ID
    return this.#groups.size >= this.#options.maxGroups ? ErrorCode.GROUP_MAX_SIZE_REACHED : undefined
  }

  #open(groupId: string): Group {
    const { maxGroupMembers: maxMembers, newMemberId } = this.#options
    const group = this.#groups.get(groupId) ?? new Group({ id: groupId, maxMembers, newMemberId })
    this.#groups.set(groupId, group)
    return group
  }

  #forgetUnused(): void {
    if (this.#groups.size < this.#options.maxGroups) return
    for (const group of this.#groups.values()) if (group.isUnused) this.#groups.delete(group.id)
  }

  async sync(groupId: string, request: SyncRequest): Promise<SyncResult> {
    const group = this.#groups.get(groupId)
    return group ? group.sync(request) : failedSync(ErrorCode.UNKNOWN_MEMBER_ID)
  }

  heartbeat({ groupId, memberId, generationId, groupInstanceId }: Committer): ErrorCode {
    return this.#groups.get(groupId)?.heartbeat(memberId, generationId, groupInstanceId) ?? ErrorCode.UNKNOWN_MEMBER_ID
  }

  leave(groupId: string, memberId: string, instanceId: string | null): ErrorCode {
    return this.#groups.get(groupId)?.leave(memberId, instanceId) ?? ErrorCode.UNKNOWN_MEMBER_ID
  }

  /** Why this committer's offsets must be refused, if they must. Counts as a sign of life otherwise. */
  commitRefusal({ groupId, memberId, generationId, groupInstanceId }: Committer): ErrorCode | undefined {
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
    const refusal = this.commitRefusal(committer)
    if (refusal !== undefined) return refusal
    if (!this.#isRoomFor(committer.groupId)) return ErrorCode.GROUP_MAX_SIZE_REACHED
    if (offsets.length > 0) this.offsets.commit(committer.groupId, offsets)
    return ErrorCode.NONE
  }

  #isRoomFor(groupId: string): boolean {
    return this.offsets.has(groupId) || this.offsets.groupIds.length < this.#options.maxGroups
  }

  find(groupId: string): Group | undefined {
    return this.#groups.get(groupId)
  }

  /** Ids of all groups that have members or committed offsets. */
  get groupIds(): readonly string[] {
    const used = [...this.#groups.values()].filter((group) => !group.isUnused).map((group) => group.id)
    return [...new Set([...used, ...this.offsets.groupIds])]
  }

  delete(groupId: string): ErrorCode {
    const group = this.#groups.get(groupId)
    if (group && !group.isUnused) return ErrorCode.NON_EMPTY_GROUP
    if (!group && !this.offsets.has(groupId)) return ErrorCode.GROUP_ID_NOT_FOUND
    this.#groups.delete(groupId)
    this.offsets.deleteGroup(groupId)
    return ErrorCode.NONE
  }

  close(): void {
    for (const group of this.#groups.values()) group.close()
    this.#groups.clear()
  }
}
