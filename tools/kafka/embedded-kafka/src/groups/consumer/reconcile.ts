import { type Assignment, common, isEmpty, NOTHING, union, without } from '../assignors/assignment.ts'
import type { ConsumerMember } from './consumer-member.ts'

/** Whether it has what it is to have, in this epoch. */
export function isReconciled(member: ConsumerMember, assignmentEpoch: number): boolean {
  return member.state === 'stable' && member.epoch === assignmentEpoch
}

/**
 * The next step of a member to its target: it gives up first, then gets what others have given up (KIP-848).
 * `owned` is what it says it has, null when it says nothing; `held` is what others have not given up.
 */
export function reconcile(
  member: ConsumerMember,
  group: { readonly assignmentEpoch: number; readonly owned: Assignment | null; readonly held: () => Assignment },
): ConsumerMember {
  const { assignmentEpoch, owned } = group
  if (isReconciled(member, assignmentEpoch)) return member
  const stillHas = (revoked: Assignment): boolean => owned === null || !isEmpty(common(owned, revoked))
  if (member.state === 'unrevoked' && stillHas(member.revoking)) return member
  const kept = common(member.assigned, member.target)
  const revoking = without(member.assigned, kept)
  if (!isEmpty(revoking) && stillHas(revoking)) {
    return { ...member, state: 'unrevoked', previousEpoch: member.epoch, assigned: kept, revoking }
  }
  const wanted = without(member.target, kept)
  const free = without(wanted, group.held())
  const isWaiting = !isEmpty(without(wanted, free))
  return {
    ...member,
    state: isWaiting ? 'unreleased' : 'stable',
    previousEpoch: member.epoch,
    epoch: assignmentEpoch,
    assigned: union(kept, free),
    revoking: NOTHING,
  }
}
