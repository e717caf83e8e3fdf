import { hasNumbers, isRecord } from '../../storage/shapes.ts'
import { type Assignment, isAssignment, NOTHING } from '../assignors/assignment.ts'

/** What a member says of itself. */
export interface Subscription {
  readonly instanceId: string | null
  readonly rackId: string | null
  readonly clientId: string
  readonly clientHost: string
  readonly rebalanceTimeoutMs: number
  readonly topicNames: readonly string[]
  readonly topicRegex: string | null
  readonly assignor: string | null
}

/** One member of a group of the newer protocol (KIP-848). It is replaced, never changed, and kept in the broker's state as it is. */
export interface ConsumerMember extends Subscription {
  readonly id: string
  readonly epoch: number
  readonly previousEpoch: number
  /** Still to give something up, still waiting for what others give up, or neither. */
  readonly state: 'unrevoked' | 'unreleased' | 'stable'
  readonly assigned: Assignment
  /** To be given up before it gets anything new. */
  readonly revoking: Assignment
  readonly target: Assignment
}

/** In place of an epoch: a request to join, to leave, and to leave for a while as a static member. */
export const JOINS = 0
export const LEAVES = -1
export const LEAVES_FOR_A_WHILE = -2

export function newMember(id: string, subscription: Subscription): ConsumerMember {
  return {
    ...subscription,
    id,
    epoch: JOINS,
    previousEpoch: JOINS,
    state: 'stable',
    assigned: NOTHING,
    revoking: NOTHING,
    target: NOTHING,
  }
}

/** A new process of a static member has what the one before it had. */
export function successor(former: ConsumerMember, id: string, subscription: Subscription): ConsumerMember {
  const { assigned, target } = former
  return { ...newMember(id, subscription), assigned, target }
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string'
}

/** Whether a value read from a file is a member. */
export function isStoredMember(value: unknown): value is ConsumerMember {
  if (!isRecord(value)) return false
  const { id, clientId, clientHost, instanceId, rackId, topicRegex, assignor, state, topicNames } = value
  const { assigned, revoking, target } = value
  return (
    hasNumbers(value, 'epoch', 'previousEpoch', 'rebalanceTimeoutMs') &&
    [id, clientId, clientHost].every((each) => typeof each === 'string') &&
    [instanceId, rackId, topicRegex, assignor].every(isTextOrNull) &&
    ['stable', 'unrevoked', 'unreleased'].includes(String(state)) &&
    Array.isArray(topicNames) &&
    topicNames.every((each) => typeof each === 'string') &&
    [assigned, revoking, target].every(isAssignment)
  )
}
