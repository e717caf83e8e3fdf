import type { Clock } from '../../clock.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { failureOf, ProtocolError } from '../../protocol/protocol-error.ts'
import type { GroupTimes } from '../../settings/group-settings.ts'
import type { TopicCatalog } from '../../topics/topic-catalog.ts'
import { isSame, NOTHING } from '../assignors/assignment.ts'
import { type GroupEpochs, NO_EPOCHS } from '../consumer/consumer-group-options.ts'
import { MemberTimers } from '../consumer/member-timers.ts'
import { fingerprintOf, SubscribedTopics } from '../consumer/subscribed-topics.ts'
import { checkShareEpoch, JOINS, LEAVES, type ShareHeartbeat, type ShareHeartbeatAnswer } from './share-heartbeat.ts'
import { newMember, type ShareMember, type ShareSubscription } from './share-member.ts'
import { assignSimply } from './simple-assignor.ts'

export interface ShareGroupOptions {
  readonly id: string
  readonly maxMembers: number
  readonly catalog: TopicCatalog
  readonly clock: Clock
  readonly times: () => GroupTimes
  /** Keeps what has changed; null for a member that is gone. */
  readonly save: (epochs: GroupEpochs, changed: ReadonlyMap<string, ShareMember | null>) => void
  /** Lets the group have these partitions, before members get them. */
  readonly begin: (topics: ReadonlyMap<string, number>) => void
}

type Client = Pick<ShareSubscription, 'clientId' | 'clientHost'>

const wanted = (member: ShareSubscription) => ({ topicNames: member.topicNames, topicRegex: null })

function isSameSubscription(a: ShareSubscription, b: ShareSubscription): boolean {
  const isSameClient = a.rackId === b.rackId && a.clientId === b.clientId && a.clientHost === b.clientHost
  return isSameClient && hasSameTopics(a, b)
}

function hasSameTopics({ topicNames: a }: ShareSubscription, { topicNames: b }: ShareSubscription): boolean {
  return a.length === b.length && a.every((each, at) => each === b[at])
}

/** A group whose members share partitions, record by record (KIP-932); members get what they are assigned at their next heartbeat. */
export class ShareGroup {
  readonly id: string
  readonly #options: ShareGroupOptions
  readonly #members = new Map<string, ShareMember>()
  readonly #changed = new Map<string, ShareMember | null>()
  readonly #topics: SubscribedTopics
  readonly #sessions: MemberTimers
  #epochs: GroupEpochs
  #saved: GroupEpochs | undefined
  /** Of the topics that the fingerprint was computed of. */
  #revision = -1

  /** With what was kept of it, if it was. */
  constructor(options: ShareGroupOptions, epochs: GroupEpochs = NO_EPOCHS, members: readonly ShareMember[] = []) {
    this.id = options.id
    this.#options = options
    this.#topics = new SubscribedTopics(options.catalog)
    this.#sessions = new MemberTimers(options.clock)
    this.#epochs = epochs
    this.#saved = epochs
    for (const member of members) {
      this.#members.set(member.id, member)
      this.#watch(member.id)
    }
  }

  get epochs(): GroupEpochs {
    return this.#epochs
  }

  get members(): readonly ShareMember[] {
    return [...this.#members.values()]
  }

  get size(): number {
    return this.#members.size
  }

  /** Under the names of ShareGroupDescribe. */
  get state(): 'Empty' | 'Stable' {
    return this.#members.size === 0 ? 'Empty' : 'Stable'
  }

  has(memberId: string): boolean {
    return this.#members.has(memberId)
  }

  /** @throws {ProtocolError} when the member is unknown, fenced or one too many */
  heartbeat(request: ShareHeartbeat, client: Client): ShareHeartbeatAnswer {
    const { memberId, memberEpoch, subscribedTopicNames: names, rackId } = request
    const known = this.#members.get(memberId)
    if (!known && memberEpoch !== JOINS) throw unknown(memberId, this.id)
    if (memberEpoch === LEAVES) {
      this.#remove(memberId)
      return { memberId, memberEpoch, heartbeatIntervalMs: 0, assignment: null }
    }
    if (known) checkShareEpoch(known, memberEpoch)
    else if (this.#members.size >= this.#options.maxMembers) throw full(this.#options.maxMembers)
    const subscription: ShareSubscription = {
      clientId: client.clientId,
      clientHost: client.clientHost,
      rackId: rackId ?? known?.rackId ?? null,
      topicNames: names ? [...new Set(names)].sort() : (known?.topicNames ?? []),
    }
    const before = known ?? newMember(memberId, subscription)
    if (!known || !isSameSubscription(known, subscription)) this.#put({ ...before, ...subscription })
    this.#noteTopics(known !== undefined && hasSameTopics(known, subscription))
    if (this.#epochs.epoch > this.#epochs.assignmentEpoch) this.#assign()
    const member = this.#reconcile(memberId)
    this.#save()
    this.#watch(memberId)
    const isNews = memberEpoch === JOINS || names !== null || !isSame(before.assigned, member.assigned)
    return {
      memberId,
      memberEpoch: member.epoch,
      heartbeatIntervalMs: this.#options.times().heartbeatIntervalMs,
      assignment: isNews ? member.assigned : null,
    }
  }

  /** A new epoch begins when a member is new or wants other topics, and when there are other topics. */
  #noteTopics(isUnchanged: boolean): void {
    const { revision } = this.#topics
    if (isUnchanged && revision === this.#revision) return
    const fingerprint = fingerprintOf(this.#counts())
    this.#revision = revision
    if (isUnchanged && fingerprint === this.#epochs.fingerprint) return
    this.#epochs = { ...this.#epochs, epoch: this.#epochs.epoch + 1, fingerprint }
  }

  #counts(): ReadonlyMap<string, number> {
    return this.#topics.countsOf(this.members.map(wanted))
  }

  #assign(): void {
    const counts = this.#counts()
    this.#options.begin(counts)
    const members = this.members.map((member) => ({
      ...member,
      instanceId: null,
      topicIds: this.#topics.idsOf(wanted(member)),
    }))
    const targets = assignSimply(members, counts)
    for (const member of this.members) {
      const target = targets.get(member.id) ?? NOTHING
      if (!isSame(target, member.target)) this.#put({ ...member, target })
    }
    this.#epochs = { ...this.#epochs, assignmentEpoch: this.#epochs.epoch }
  }

  #reconcile(memberId: string): ShareMember {
    const member = this.#members.get(memberId)
    if (!member) throw unknown(memberId, this.id)
    const { assignmentEpoch } = this.#epochs
    if (member.epoch === assignmentEpoch) return member
    const next = { ...member, epoch: assignmentEpoch, previousEpoch: member.epoch, assigned: member.target }
    this.#put(next)
    return next
  }

  #put(member: ShareMember): void {
    this.#members.set(member.id, member)
    this.#changed.set(member.id, member)
  }

  #remove(memberId: string): void {
    this.#members.delete(memberId)
    this.#changed.set(memberId, null)
    this.#sessions.end(memberId)
    this.#epochs = { ...this.#epochs, epoch: this.#epochs.epoch + 1 }
    this.#save()
  }

  #save(): void {
    if (this.#changed.size === 0 && this.#epochs === this.#saved) return
    this.#options.save(this.#epochs, this.#changed)
    this.#saved = this.#epochs
    this.#changed.clear()
  }

  /** Ends its session when it is not heard of. */
  #watch(memberId: string): void {
    this.#sessions.start(memberId, this.#options.times().sessionTimeoutMs, () => {
      try {
        this.#remove(memberId)
      } catch (error) {
        // It is out in any case; a file that cannot be written is written with the next change.
        failureOf(error)
      }
    })
  }

  close(): void {
    this.#sessions.endAll()
  }
}

function unknown(memberId: string, groupId: string): ProtocolError {
  return new ProtocolError(ErrorCode.UNKNOWN_MEMBER_ID, `Member ${memberId} is not a member of group ${groupId}.`)
}

function full(maxMembers: number): ProtocolError {
  const message = `The share group has reached its maximum capacity of ${maxMembers} members.`
  return new ProtocolError(ErrorCode.GROUP_MAX_SIZE_REACHED, message)
}
