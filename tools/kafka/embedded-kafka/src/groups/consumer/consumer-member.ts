import { hasNumbers } from '../../storage/shapes.ts'
import { type Assignment, isAssignment, NOTHING } from '../assignors/assignment.ts'
import {
  isStoredModernMember,
  isTextOrNull,
  type ModernMember,
  type ModernSubscription,
  newModernMember,
} from '../modern/modern-member.ts'

/** A member's own account of itself. */
export interface Subscription extends ModernSubscription {
  readonly instanceId: string | null
  readonly rebalanceTimeoutMs: number
  readonly topicRegex: string | null
  readonly assignor: string | null
}

/** One member of a group of the newer protocol (KIP-848). */
export interface ConsumerMember extends ModernMember, Subscription {
  readonly topicRegex: string | null
  /** Still to give something up, still waiting for what others give up, or neither. */
  readonly state: 'unrevoked' | 'unreleased' | 'stable'
  /** To be given up before it gets anything new. */
  readonly revoking: Assignment
}

/** In place of an epoch: a request to leave for a while as a static member. */
export const LEAVES_FOR_A_WHILE = -2

export function newMember(id: string, subscription: Subscription): ConsumerMember {
  return { ...newModernMember(id, subscription), state: 'stable', revoking: NOTHING }
}

/** A new process of a static member has what the one before it had. */
export function successor(former: ConsumerMember, id: string, subscription: Subscription): ConsumerMember {
  const { assigned, target } = former
  return { ...newMember(id, subscription), assigned, target }
}

/** True when a value read from a file is a member. */
export function isStoredMember(value: unknown): value is ConsumerMember {
  if (!isStoredModernMember(value) || !hasNumbers(value, 'rebalanceTimeoutMs')) return false
  const { instanceId, topicRegex, assignor, state, revoking } = value as Readonly<Record<string, unknown>>
  return (
    [instanceId, topicRegex, assignor].every(isTextOrNull) &&
    ['stable', 'unrevoked', 'unreleased'].includes(String(state)) &&
    isAssignment(revoking)
  )
}
