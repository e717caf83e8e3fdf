import { isSame } from '../assignors/assignment.ts'
import type { Assignor } from '../assignors/assignor.ts'
import { ModernGroup, type ModernGroupOptions } from '../modern/modern-group.ts'
import type { HeartbeatAnswer, ModernHeartbeat } from '../modern/modern-heartbeat.ts'
import {
  type Client,
  hasSameNames,
  JOINS,
  LEAVES,
  type ModernMember,
  type ModernSubscription,
  namesFrom,
  newModernMember,
} from '../modern/modern-member.ts'
import { checkShareEpoch } from './share-heartbeat.ts'
import { assignSimply } from './simple-assignor.ts'

export interface ShareGroupOptions extends ModernGroupOptions<ModernMember> {
  /** Lets the group have these partitions, before members get them. */
  readonly begin: (topics: ReadonlyMap<string, number>) => void
}

function isSameSubscription(a: ModernSubscription, b: ModernSubscription): boolean {
  const isSameClient = a.rackId === b.rackId && a.clientId === b.clientId && a.clientHost === b.clientHost
  return isSameClient && hasSameNames(a, b)
}

/** A group whose members share partitions, record by record (KIP-932); members get what they are assigned at their next heartbeat. */
export class ShareGroup extends ModernGroup<ModernMember> {
  readonly assignorName = 'simple'
  protected readonly assign: Assignor

  constructor(options: ShareGroupOptions) {
    super(options)
    this.assign = (members, topics) => {
      options.begin(topics)
      return assignSimply(members, topics)
    }
  }

  get state(): 'Empty' | 'Stable' {
    return this.size === 0 ? 'Empty' : 'Stable'
  }

  /** @throws {ProtocolError} when the member is unknown, fenced or one too many */
  heartbeat(request: ModernHeartbeat, { clientId, clientHost }: Client): HeartbeatAnswer {
    const { memberId, memberEpoch, subscribedTopicNames: names } = request
    const known = memberEpoch === JOINS ? this.find(memberId) : this.require(memberId)
    if (memberEpoch === LEAVES) {
      this.remove(memberId)
      return this.left(memberId)
    }
    if (known) checkShareEpoch(known, memberEpoch)
    else this.checkRoom()
    const rackId = request.rackId ?? known?.rackId ?? null
    const subscription = { clientId, clientHost, rackId, topicNames: namesFrom(names, known) }
    const before = known ?? newModernMember(memberId, subscription)
    if (!known || !isSameSubscription(known, subscription)) this.put({ ...before, ...subscription })
    this.updateTargets(known !== undefined && hasSameNames(known, subscription))
    const member = this.#reconciled(memberId)
    return this.answer(member, memberEpoch === JOINS || names !== null || !isSame(before.assigned, member.assigned))
  }

  #reconciled(memberId: string): ModernMember {
    const member = this.require(memberId)
    const { assignmentEpoch } = this.epochs
    if (member.epoch === assignmentEpoch) return member
    return { ...member, epoch: assignmentEpoch, previousEpoch: member.epoch, assigned: member.target }
  }
}
