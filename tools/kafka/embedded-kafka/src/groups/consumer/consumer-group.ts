import { ErrorCode } from '../../protocol/error-code.ts'
import { failureOf, ProtocolError } from '../../protocol/protocol-error.ts'
import { type Assignment, fromList, isSame, NOTHING } from '../assignors/assignment.ts'
import { ASSIGNORS } from '../assignors/assignors.ts'
import { type ConsumerGroupOptions, type GroupEpochs, NO_EPOCHS } from './consumer-group-options.ts'
import {
  type ConsumerMember,
  JOINS,
  LEAVES,
  LEAVES_FOR_A_WHILE,
  newMember,
  type Subscription,
  successor,
} from './consumer-member.ts'
import { ConsumerMembers } from './consumer-members.ts'
import { checkEpoch, checkInstance, checkReleased } from './epochs.ts'
import type { HeartbeatAnswer, HeartbeatRequest } from './heartbeat.ts'
import { MemberTimers } from './member-timers.ts'
import { isReconciled, reconcile } from './reconcile.ts'
import { fingerprintOf, SubscribedTopics } from './subscribed-topics.ts'
import { isFull, isSameSubscription, subscriptionOf, wantsSameTopics } from './subscription.ts'

type Client = Pick<Subscription, 'clientId' | 'clientHost'>

/** A group whose members are told by the broker what they get (KIP-848), by the rules of Apache Kafka's GroupMetadataManager. */
export class ConsumerGroup {
  readonly id: string
  readonly #options: ConsumerGroupOptions
  readonly #members: ConsumerMembers
  readonly #topics: SubscribedTopics
  readonly #sessions: MemberTimers
  readonly #revocations: MemberTimers
  #epochs: GroupEpochs
  #saved: GroupEpochs | undefined
  /** Of the topics that the fingerprint was computed of. */
  #revision = -1

  /** With what was kept of it, if it was. */
  constructor(options: ConsumerGroupOptions, epochs: GroupEpochs = NO_EPOCHS, members: readonly ConsumerMember[] = []) {
    this.id = options.id
    this.#options = options
    this.#topics = new SubscribedTopics(options.catalog)
    this.#sessions = new MemberTimers(options.clock)
    this.#revocations = new MemberTimers(options.clock)
    this.#epochs = epochs
    this.#saved = epochs
    this.#members = new ConsumerMembers(members)
    for (const member of members) this.#watch(member)
  }

  get epochs(): GroupEpochs {
    return this.#epochs
  }

  get members(): readonly ConsumerMember[] {
    return this.#members.all
  }

  get size(): number {
    return this.#members.size
  }

  /** Under the names of ConsumerGroupDescribe. */
  get state(): 'Empty' | 'Assigning' | 'Reconciling' | 'Stable' {
    const { epoch, assignmentEpoch } = this.#epochs
    if (this.#members.size === 0) return 'Empty'
    if (epoch > assignmentEpoch) return 'Assigning'
    return this.members.every((member) => isReconciled(member, assignmentEpoch)) ? 'Stable' : 'Reconciling'
  }

  get assignorName(): string {
    return this.#members.assignorName
  }

  isSubscribedTo(topicId: string): boolean {
    return this.members.some((member) => this.#topics.idsOf(member).has(topicId))
  }

  /** Why a request about offsets is refused that names this member; undefined when it is not. */
  memberRefusal(memberId: string, epoch: number): ErrorCode | undefined {
    const member = this.#members.get(memberId)
    if (!member) return epoch < 0 && this.#members.size === 0 ? undefined : ErrorCode.UNKNOWN_MEMBER_ID
    return member.epoch === epoch ? undefined : ErrorCode.STALE_MEMBER_EPOCH
  }

  #expressions(brought: string | null): ReadonlySet<string> {
    const all = [brought, ...this.members.map(({ topicRegex }) => topicRegex)]
    return new Set(all.flatMap((each) => each || []))
  }

  /** Has to be so before a heartbeat that brings this expression; see {@link matchTopics}. */
  hasMatchedTopics(brought: string | null): boolean {
    return this.#topics.hasMatched(this.#expressions(brought))
  }

  /** Finds the topics of all expressions. */
  async matchTopics(brought: string | null): Promise<void> {
    await this.#topics.match(this.#expressions(brought))
  }

  /** @throws {ProtocolError} when the member is unknown, fenced or one too many */
  heartbeat(request: HeartbeatRequest, client: Client): HeartbeatAnswer {
    if (request.memberEpoch === LEAVES || request.memberEpoch === LEAVES_FOR_A_WHILE) return this.#leave(request)
    const owned = request.topicPartitions === null ? null : fromList(request.topicPartitions)
    const known = this.#find(request, owned)
    const subscription = subscriptionOf(request, client, known)
    const before = this.#enter(known, request.memberId, subscription)
    if (before !== known || !isSameSubscription(before, subscription)) this.#members.put({ ...before, ...subscription })
    this.#noteTopics(known, subscription)
    if (this.#epochs.epoch > this.#epochs.assignmentEpoch) this.#assign()
    const current = this.#require(request.memberId)
    const { assignmentEpoch } = this.#epochs
    const member = reconcile(current, { assignmentEpoch, owned, held: () => this.#members.heldBut(current.id) })
    this.#members.put(member)
    this.#save()
    this.#watch(member)
    const isNews = request.memberEpoch === JOINS || isFull(request) || !isSame(before.assigned, member.assigned)
    return {
      memberId: member.id,
      memberEpoch: member.epoch,
      heartbeatIntervalMs: this.#options.times().heartbeatIntervalMs,
      assignment: isNews ? member.assigned : null,
    }
  }

  /** The member that a heartbeat comes from, or is to replace; undefined for a new one. */
  #find(request: HeartbeatRequest, owned: Assignment | null): ConsumerMember | undefined {
    const { memberId, memberEpoch, instanceId } = request
    const isJoin = memberEpoch === JOINS
    if (instanceId !== null) {
      const current = this.#members.byInstance(instanceId)
      if (isJoin && current) {
        if (current.id !== memberId || current.epoch === LEAVES_FOR_A_WHILE) checkReleased(current, request)
        else checkEpoch(current, memberEpoch, owned)
        return current
      }
      if (!isJoin) checkEpoch(checkInstance(current, request), memberEpoch, owned)
    }
    const member = this.#members.get(memberId)
    if (member) checkEpoch(member, memberEpoch, owned)
    else if (!isJoin) throw unknown(memberId, this.id)
    else if (this.#members.size >= this.#options.maxMembers) {
      const message = `The consumer group has reached its maximum capacity of ${this.#options.maxMembers} members.`
      throw new ProtocolError(ErrorCode.GROUP_MAX_SIZE_REACHED, message)
    }
    return member
  }

  #enter(known: ConsumerMember | undefined, memberId: string, subscription: Subscription): ConsumerMember {
    if (!known) return newMember(memberId, subscription)
    if (known.id === memberId && known.epoch !== LEAVES_FOR_A_WHILE) return known
    this.#drop(known)
    return successor(known, memberId, subscription)
  }

  /** A new epoch begins when a member is new or wants other topics, and when there are other topics. */
  #noteTopics(known: ConsumerMember | undefined, subscription: Subscription): void {
    const isUnchanged = known !== undefined && wantsSameTopics(known, subscription)
    const { revision } = this.#topics
    if (isUnchanged && revision === this.#revision) return
    const fingerprint = fingerprintOf(this.#topics.countsOf(this.members))
    this.#revision = revision
    if (isUnchanged && fingerprint === this.#epochs.fingerprint) return
    this.#epochs = { ...this.#epochs, epoch: this.#epochs.epoch + 1, fingerprint }
  }

  #assign(): void {
    const members = this.members.map((member) => ({ ...member, topicIds: this.#topics.idsOf(member) }))
    const assign = ASSIGNORS.get(this.assignorName)
    const targets = assign?.(members, this.#topics.countsOf(this.members))
    for (const member of this.members) {
      const target = targets?.get(member.id) ?? NOTHING
      if (!isSame(target, member.target)) this.#members.put({ ...member, target })
    }
    this.#epochs = { ...this.#epochs, assignmentEpoch: this.#epochs.epoch }
  }

  #leave(request: HeartbeatRequest): HeartbeatAnswer {
    const { memberId, memberEpoch, instanceId } = request
    const member =
      instanceId === null ? this.#require(memberId) : checkInstance(this.#members.byInstance(instanceId), request)
    if (memberEpoch === LEAVES_FOR_A_WHILE) {
      this.#members.put({ ...member, epoch: LEAVES_FOR_A_WHILE, revoking: NOTHING })
      this.#revocations.end(member.id)
      this.#save()
    } else {
      this.#remove(member)
    }
    return { memberId, memberEpoch, heartbeatIntervalMs: 0, assignment: null }
  }

  #require(memberId: string): ConsumerMember {
    const member = this.#members.get(memberId)
    if (!member) throw unknown(memberId, this.id)
    return member
  }

  #drop(member: ConsumerMember): void {
    this.#members.delete(member.id)
    this.#sessions.end(member.id)
    this.#revocations.end(member.id)
  }

  #remove(member: ConsumerMember): void {
    this.#drop(member)
    this.#epochs = { ...this.#epochs, epoch: this.#epochs.epoch + 1 }
    this.#save()
  }

  #save(): void {
    const { changed } = this.#members
    if (changed.size === 0 && this.#epochs === this.#saved) return
    this.#options.save(this.#epochs, changed)
    this.#saved = this.#epochs
    this.#members.noteSaved()
  }

  /** Ends its session when it is not heard of, and its membership when it does not give up in time what it has to. */
  #watch({ id, epoch, state, rebalanceTimeoutMs }: ConsumerMember): void {
    this.#sessions.start(id, this.#options.times().sessionTimeoutMs, () => this.#fence(id))
    if (state !== 'unrevoked') this.#revocations.end(id)
    else if (!this.#revocations.has(id)) {
      this.#revocations.start(id, rebalanceTimeoutMs, () => {
        const current = this.#members.get(id)
        if (current?.state === 'unrevoked' && current.epoch === epoch) this.#fence(id)
      })
    }
  }

  #fence(id: string): void {
    const member = this.#members.get(id)
    try {
      if (member) this.#remove(member)
    } catch (error) {
      // It is out in any case; a file that cannot be written is written with the next change.
      failureOf(error)
    }
  }

  close(): void {
    this.#sessions.endAll()
    this.#revocations.endAll()
  }
}

function unknown(memberId: string, groupId: string): ProtocolError {
  return new ProtocolError(ErrorCode.UNKNOWN_MEMBER_ID, `Member ${memberId} is not a member of group ${groupId}.`)
}
