import type { ErrorCode } from '../protocol/error-code.ts'

/** APIs whose refusal is for one partition; rules for them may name a topic and a partition. */
export const PARTITION_APIS = ['Produce', 'Fetch', 'ListOffsets', 'Metadata'] as const

interface Limited {
  /** Only for clients with this `client.id`; default: all. */
  readonly clientId?: string
  /** How long the rule is in force, in milliseconds; default 600000, at most 3600000. */
  readonly expiresInMs?: number
}

interface OfTopic {
  readonly topic: string
  /** Default: all of the topic. */
  readonly partition?: number
}

/** The next requests of an API are not carried out, and answered with an error. */
export interface ErrorRule extends Limited, Partial<OfTopic> {
  readonly kind: 'error'
  /** As in the protocol guide: `Produce`. */
  readonly api: string
  /** As in the protocol guide: `NOT_LEADER_OR_FOLLOWER`. */
  readonly error: keyof typeof ErrorCode
  /** How many requests; default 1. */
  readonly times?: number
}

/** Requests are answered later. */
export interface DelayRule extends Limited {
  readonly kind: 'delay'
  /** Default: all APIs. */
  readonly api?: string
  /** In milliseconds; at most 60000. */
  readonly delayMs: number
  /** How many requests; default: all. */
  readonly times?: number
}

/** Produce and Fetch wait while the rule is in force, and are then carried out. */
export interface PauseRule extends Limited, OfTopic {
  readonly kind: 'pause'
}

/** The partition has no leader: LEADER_NOT_AVAILABLE in Metadata, NOT_LEADER_OR_FOLLOWER in Produce, Fetch and ListOffsets. */
export interface LeaderlessRule extends Limited, OfTopic {
  readonly kind: 'leaderless'
}

/** The broker, or the cluster, is not there: its connections are cut, and its ports closed. */
export interface AwayRule extends Omit<Limited, 'clientId'> {
  readonly kind: 'away'
}

/** What goes wrong, for which requests and how long. */
export type FaultRule = ErrorRule | DelayRule | PauseRule | LeaderlessRule | AwayRule
