import { hasNumbers, isRecord } from '../../storage/shapes.ts'
import { type Assignment, isAssignment, NOTHING } from '../assignors/assignment.ts'

/** What a member says of itself. */
export interface ShareSubscription {
  readonly rackId: string | null
  readonly clientId: string
  readonly clientHost: string
  readonly topicNames: readonly string[]
}

/** One member of a share group (KIP-932). It is replaced, never changed, and kept in the broker's state as it is. */
export interface ShareMember extends ShareSubscription {
  readonly id: string
  readonly epoch: number
  readonly previousEpoch: number
  readonly assigned: Assignment
  /** What it gets with its next heartbeat. */
  readonly target: Assignment
}

export function newMember(id: string, subscription: ShareSubscription): ShareMember {
  return { ...subscription, id, epoch: 0, previousEpoch: 0, assigned: NOTHING, target: NOTHING }
}

/** Whether a value read from a file is a member. */
export function isStoredMember(value: unknown): value is ShareMember {
  if (!isRecord(value)) return false
  const { id, clientId, clientHost, rackId, topicNames, assigned, target } = value
  return (
    hasNumbers(value, 'epoch', 'previousEpoch') &&
    [id, clientId, clientHost].every((each) => typeof each === 'string') &&
    (rackId === null || typeof rackId === 'string') &&
    Array.isArray(topicNames) &&
    topicNames.every((each) => typeof each === 'string') &&
    isAssignment(assigned) &&
    isAssignment(target)
  )
}
