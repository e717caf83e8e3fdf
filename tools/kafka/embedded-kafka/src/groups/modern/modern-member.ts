import { hasNumbers, isRecord } from '../../storage/shapes.ts'
import { type Assignment, isAssignment, NOTHING } from '../assignors/assignment.ts'

/** The part of a member that its heartbeats say. */
export interface ModernSubscription {
  readonly rackId: string | null
  readonly clientId: string
  readonly clientHost: string
  readonly topicNames: readonly string[]
  /** Only consumer groups have expressions. */
  readonly topicRegex?: string | null
}

export type Client = Pick<ModernSubscription, 'clientId' | 'clientHost'>

/** One member of a group whose partitions the broker assigns. It is replaced, never changed, and kept in the broker's state as it is. */
export interface ModernMember extends ModernSubscription {
  readonly id: string
  readonly epoch: number
  readonly previousEpoch: number
  readonly assigned: Assignment
  /** The assignment that it is moving to. */
  readonly target: Assignment
}

/** In place of an epoch: a request to join, and to leave. */
export const JOINS = 0
export const LEAVES = -1

export function newModernMember<S extends ModernSubscription>(id: string, subscription: S): S & ModernMember {
  return { ...subscription, id, epoch: JOINS, previousEpoch: JOINS, assigned: NOTHING, target: NOTHING }
}

export function hasSameNames({ topicNames: a }: ModernSubscription, { topicNames: b }: ModernSubscription): boolean {
  return a.length === b.length && a.every((each, at) => each === b[at])
}

/** The names of a heartbeat, sorted; those known before where the heartbeat has none. */
export function namesFrom(given: readonly string[] | null, known: ModernSubscription | undefined): readonly string[] {
  return given ? [...new Set(given)].sort() : (known?.topicNames ?? [])
}

export function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string'
}

/** Checks a value read from a file. */
export function isStoredModernMember(value: unknown): value is ModernMember & Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false
  const { id, clientId, clientHost, rackId, topicNames, assigned, target } = value
  return (
    hasNumbers(value, 'epoch', 'previousEpoch') &&
    [id, clientId, clientHost].every((each) => typeof each === 'string') &&
    isTextOrNull(rackId) &&
    Array.isArray(topicNames) &&
    topicNames.every((each) => typeof each === 'string') &&
    isAssignment(assigned) &&
    isAssignment(target)
  )
}
