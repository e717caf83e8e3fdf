import { Alarms } from '../../alarms.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { type Assignment, fromList, isSame, NOTHING } from '../assignors/assignment.ts'
import type { Assignor } from '../assignors/assignor.ts'
import { ASSIGNORS } from '../assignors/assignors.ts'
import { ModernGroup, type ModernGroupOptions } from '../modern/modern-group.ts'
import type { HeartbeatAnswer } from '../modern/modern-heartbeat.ts'
import { type Client, JOINS, LEAVES } from '../modern/modern-member.ts'
import { type ConsumerMember, LEAVES_FOR_A_WHILE, newMember, type Subscription, successor } from './consumer-member.ts'
import { chosenAssignor, heldByOthers } from './consumer-members.ts'
import { checkEpoch, checkInstance, checkReleased } from './epochs.ts'
import type { HeartbeatRequest } from './heartbeat.ts'
import { isReconciled, reconcile } from './reconcile.ts'
import { isFull, isSameSubscription, subscriptionOf, wantsSameTopics } from './subscription.ts'

/** A group of the newer protocol (KIP-848), by the rules of Apache Kafka's GroupMetadataManager. */
export class ConsumerGroup extends ModernGroup<ConsumerMember> {
  readonly #revocations: Alarms

  constructor(options: ModernGroupOptions<ConsumerMember>) {
    super(options)
    this.#revocations = new Alarms(options.clock)
  }

  get state(): 'Empty' | 'Assigning' | 'Reconciling' | 'Stable' {
    const { epoch, assignmentEpoch } = this.epochs
    if (this.size === 0) return 'Empty'
    if (epoch > assignmentEpoch) return 'Assigning'
    return this.members.every((member) => isReconciled(member, assignmentEpoch)) ? 'Stable' : 'Reconciling'
  }

  get assignorName(): string {
    return chosenAssignor(this.members)
  }

  protected get assign(): Assignor | undefined {
    return ASSIGNORS.get(this.assignorName)
  }

  isSubscribedTo(topicId: string): boolean {
    return this.members.some((member) => this.topics.idsOf(member).has(topicId))
  }

  /** Why a request about offsets is refused that names this member; undefined when it is not. */
  memberRefusal(memberId: string, epoch: number): ErrorCode | undefined {
    const member = this.find(memberId)
    if (!member) return epoch < 0 && this.size === 0 ? undefined : ErrorCode.UNKNOWN_MEMBER_ID
    return member.epoch === epoch ? undefined : ErrorCode.STALE_MEMBER_EPOCH
  }

  #expressions(brought: string | null): ReadonlySet<string> {
    const all = [brought, ...this.members.map(({ topicRegex }) => topicRegex)]
    return new Set(all.flatMap((each) => each || []))
  }

  /** Has to be so before a heartbeat that brings this expression; see {@link matchTopics}. */
  hasMatchedTopics(brought: string | null): boolean {
    return this.topics.hasMatched(this.#expressions(brought))
  }

  /** Finds the topics of all expressions. */
  async matchTopics(brought: string | null): Promise<void> {
    await this.topics.match(this.#expressions(brought))
  }

  /** @throws {ProtocolError} when the member is unknown, fenced or one too many */
  heartbeat(request: HeartbeatRequest, client: Client): HeartbeatAnswer {
    const { memberId, memberEpoch } = request
    if (memberEpoch === LEAVES || memberEpoch === LEAVES_FOR_A_WHILE) return this.#leave(request)
    const owned = request.topicPartitions === null ? null : fromList(request.topicPartitions)
    const known = this.#senderOf(request, owned)
    const subscription = subscriptionOf(request, client, known)
    const before = this.#enter(known, memberId, subscription)
    if (before !== known || !isSameSubscription(before, subscription)) this.put({ ...before, ...subscription })
    const isUnchanged = known !== undefined && wantsSameTopics(known, subscription)
    this.updateTargets(isUnchanged)
    const current = this.require(memberId)
    const { assignmentEpoch } = this.epochs
    const member = reconcile(current, { assignmentEpoch, owned, held: () => heldByOthers(this.members, memberId) })
    const isNews = memberEpoch === JOINS || isFull(request) || !isSame(before.assigned, member.assigned)
    return this.answer(member, isNews)
  }

  /** The member that a heartbeat comes from, or is to replace; undefined for a new one. */
  #senderOf(request: HeartbeatRequest, owned: Assignment | null): ConsumerMember | undefined {
    const { memberId, memberEpoch, instanceId } = request
    const isJoin = memberEpoch === JOINS
    if (instanceId !== null) {
      const current = this.#byInstance(instanceId)
      if (isJoin && current) {
        if (current.id !== memberId || current.epoch === LEAVES_FOR_A_WHILE) checkReleased(current, request)
        else checkEpoch(current, memberEpoch, owned)
        return current
      }
      if (!isJoin) checkEpoch(checkInstance(current, request), memberEpoch, owned)
    }
    const member = isJoin ? this.find(memberId) : this.require(memberId)
    if (member) checkEpoch(member, memberEpoch, owned)
    else this.checkRoom()
    return member
  }

  /** The static member that has this instance id now. */
  #byInstance(instanceId: string): ConsumerMember | undefined {
    return this.members.find((each) => each.instanceId === instanceId)
  }

  #enter(known: ConsumerMember | undefined, memberId: string, subscription: Subscription): ConsumerMember {
    if (!known) return newMember(memberId, subscription)
    if (known.id === memberId && known.epoch !== LEAVES_FOR_A_WHILE) return known
    this.drop(known.id)
    return successor(known, memberId, subscription)
  }

  #leave(request: HeartbeatRequest): HeartbeatAnswer {
    const { memberId, memberEpoch, instanceId } = request
    const member = instanceId === null ? this.require(memberId) : checkInstance(this.#byInstance(instanceId), request)
    if (memberEpoch === LEAVES_FOR_A_WHILE) {
      this.put({ ...member, epoch: LEAVES_FOR_A_WHILE, revoking: NOTHING })
      this.#revocations.clear(member.id)
      this.save()
    } else {
      this.remove(member.id)
    }
    return this.left(memberId, memberEpoch)
  }

  protected override drop(memberId: string): void {
    super.drop(memberId)
    this.#revocations.clear(memberId)
  }

  /** Ends also the membership of one that does not give up in time what it has to. */
  protected override watch(member: ConsumerMember): void {
    super.watch(member)
    const { id, epoch, state, rebalanceTimeoutMs } = member
    if (state !== 'unrevoked') this.#revocations.clear(id)
    else if (!this.#revocations.has(id)) {
      this.#revocations.set(id, rebalanceTimeoutMs, () => {
        const current = this.find(id)
        if (current?.state === 'unrevoked' && current.epoch === epoch) this.fence(id)
      })
    }
  }

  override close(): void {
    super.close()
    this.#revocations.clearAll()
  }
}
