import { Alarms } from '../../alarms.ts'
import type { Clock } from '../../clock.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { failureOf, ProtocolError } from '../../protocol/protocol-error.ts'
import type { GroupTimes } from '../../settings/group-settings.ts'
import type { TopicCatalog } from '../../topics/topic-catalog.ts'
import { isSame, NOTHING } from '../assignors/assignment.ts'
import type { Assignor } from '../assignors/assignor.ts'
import type { HeartbeatAnswer } from './modern-heartbeat.ts'
import { LEAVES, type ModernMember } from './modern-member.ts'
import { fingerprintOf, SubscribedTopics } from './subscribed-topics.ts'

/** As they are kept: the rest is computed from the members. */
export interface GroupEpochs {
  readonly epoch: number
  /** The group's epoch when the targets of its members were computed. */
  readonly assignmentEpoch: number
  /** The topics and their partitions at that time. */
  readonly fingerprint: string
}

const NO_EPOCHS: GroupEpochs = { epoch: 0, assignmentEpoch: 0, fingerprint: '' }

export interface ModernGroupOptions<M> {
  readonly id: string
  readonly kind: 'consumer' | 'share'
  readonly maxMembers: number
  readonly catalog: TopicCatalog
  readonly clock: Clock
  readonly times: () => GroupTimes
  /** Keeps what has changed; null for a member that is gone. */
  readonly save: (epochs: GroupEpochs, changed: ReadonlyMap<string, M | null>) => void
}

/** Members, epochs and sessions of a group whose partitions the broker assigns (KIP-848, KIP-932). */
export abstract class ModernGroup<M extends ModernMember> {
  readonly id: string
  readonly #options: ModernGroupOptions<M>
  readonly #members = new Map<string, M>()
  readonly #changed = new Map<string, M | null>()
  readonly #sessions: Alarms
  protected readonly topics: SubscribedTopics
  #epochs = NO_EPOCHS
  #saved: GroupEpochs | undefined
  /** The revision of the topics that the fingerprint was computed of. */
  #revision = -1

  constructor(options: ModernGroupOptions<M>) {
    this.id = options.id
    this.#options = options
    this.topics = new SubscribedTopics(options.catalog)
    this.#sessions = new Alarms(options.clock)
  }

  /** The state under the name that the APIs describing groups have for it. */
  abstract readonly state: string
  protected abstract readonly assign: Assignor | undefined

  /** Continues a group as it was kept. */
  restore(epochs: GroupEpochs, members: readonly M[]): void {
    this.#epochs = epochs
    this.#saved = epochs
    for (const member of members) this.#members.set(member.id, member)
    for (const member of members) this.watch(member)
  }

  get epochs(): GroupEpochs {
    return this.#epochs
  }

  get members(): readonly M[] {
    return [...this.#members.values()]
  }

  get size(): number {
    return this.#members.size
  }

  find(memberId: string): M | undefined {
    return this.#members.get(memberId)
  }

  /** @throws {ProtocolError} UNKNOWN_MEMBER_ID */
  protected require(memberId: string): M {
    const member = this.#members.get(memberId)
    if (member) return member
    throw new ProtocolError(ErrorCode.UNKNOWN_MEMBER_ID, `Member ${memberId} is not a member of group ${this.id}.`)
  }

  /** @throws {ProtocolError} GROUP_MAX_SIZE_REACHED when there is no room for one more member */
  protected checkRoom(): void {
    const { kind, maxMembers } = this.#options
    if (this.#members.size < maxMembers) return
    const message = `The ${kind} group has reached its maximum capacity of ${maxMembers} members.`
    throw new ProtocolError(ErrorCode.GROUP_MAX_SIZE_REACHED, message)
  }

  protected put(member: M): void {
    if (this.#members.get(member.id) !== member) this.#changed.set(member.id, member)
    this.#members.set(member.id, member)
  }

  protected drop(memberId: string): void {
    this.#members.delete(memberId)
    this.#changed.set(memberId, null)
    this.#sessions.clear(memberId)
  }

  protected remove(memberId: string): void {
    this.drop(memberId)
    this.#epochs = { ...this.#epochs, epoch: this.#epochs.epoch + 1 }
    this.save()
  }

  /** Computes targets again when a member is new or wants other topics (`isUnchanged`: neither), and when there are other topics. */
  protected updateTargets(isUnchanged: boolean): void {
    this.#noteTopics(isUnchanged)
    if (this.#epochs.epoch <= this.#epochs.assignmentEpoch) return
    const members = this.members.map((member) => ({ ...member, topicIds: this.topics.idsOf(member) }))
    const targets = this.assign?.(members, this.topics.countsOf(members))
    for (const member of this.members) {
      const target = targets?.get(member.id) ?? NOTHING
      if (!isSame(target, member.target)) this.put({ ...member, target })
    }
    this.#epochs = { ...this.#epochs, assignmentEpoch: this.#epochs.epoch }
  }

  #noteTopics(isUnchanged: boolean): void {
    const { revision } = this.topics
    if (isUnchanged && revision === this.#revision) return
    const fingerprint = fingerprintOf(this.topics.countsOf(this.members))
    this.#revision = revision
    if (isUnchanged && fingerprint === this.#epochs.fingerprint) return
    this.#epochs = { ...this.#epochs, epoch: this.#epochs.epoch + 1, fingerprint }
  }

  /** Keeps a member after its heartbeat, and answers it; with its assignment if that is news to it. */
  protected answer(member: M, isNews: boolean): HeartbeatAnswer {
    this.put(member)
    this.save()
    this.watch(member)
    return {
      memberId: member.id,
      memberEpoch: member.epoch,
      heartbeatIntervalMs: this.#options.times().heartbeatIntervalMs,
      assignment: isNews ? member.assigned : null,
    }
  }

  protected left(memberId: string, memberEpoch = LEAVES): HeartbeatAnswer {
    return { memberId, memberEpoch, heartbeatIntervalMs: 0, assignment: null }
  }

  protected save(): void {
    if (this.#changed.size === 0 && this.#epochs === this.#saved) return
    this.#options.save(this.#epochs, this.#changed)
    this.#saved = this.#epochs
    this.#changed.clear()
  }

  /** Ends the session of a member that sends no heartbeat. */
  protected watch({ id }: M): void {
    this.#sessions.set(id, this.#options.times().sessionTimeoutMs, () => this.fence(id))
  }

  protected fence(memberId: string): void {
    try {
      if (this.#members.has(memberId)) this.remove(memberId)
    } catch (error) {
      // It is out in any case; a file that cannot be written is written with the next change.
      failureOf(error)
    }
  }

  close(): void {
    this.#sessions.clearAll()
  }
}
