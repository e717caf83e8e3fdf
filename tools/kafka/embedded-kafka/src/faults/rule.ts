import type { ErrorCode } from '../protocol/error-code.ts'

/** APIs whose answers have an error for each partition: their handlers refuse single partitions. */
export const PARTITION_APIS: readonly string[] = ['Produce', 'Fetch', 'ListOffsets', 'Metadata']

/** The requests that a rule is about; a field that is not given excludes none. */
interface Selected {
  /** Only for clients with this `client.id`; default: all. */
  readonly clientId?: string
  /** Only for requests to this broker; default: all brokers. */
  readonly nodeId?: number
  /** How long the rule is in force, in milliseconds; default 600000, at most 3600000. */
  readonly expiresInMs?: number
}

interface OfTopic {
  /** Only for requests that name this topic; of Fetch also those that go on with a session that has it. */
  readonly topic: string
  /** Default: all of the topic. */
  readonly partition?: number
}

interface OfKey {
  /** Only for requests about this group: its members, offsets and coordinator. */
  readonly groupId?: string
  /** Only for requests about this transactional id. */
  readonly transactionalId?: string
}

/** How often a rule strikes. */
interface Frequency {
  /** How many requests; default: 1 for `error` and `drop` without a probability, else all. */
  readonly times?: number
  /** Above 0, at most 1: which share of the requests, drawn one by one; default: each. */
  readonly probability?: number
  /** With the same seed and the same requests the same ones are struck; default: a random one, which the rule then shows. */
  readonly seed?: number
}

interface AfterWork {
  /** True: the request is carried out first, so that its work is done and the client does not know; default false. */
  readonly after?: boolean
}

/** The next requests of an API are answered with an error. */
export interface ErrorRule extends Selected, Partial<OfTopic>, OfKey, Frequency, AfterWork {
  readonly kind: 'error'
  /** As in the protocol guide: `Produce`. */
  readonly api: string
  /** As in the protocol guide: `NOT_LEADER_OR_FOLLOWER`. */
  readonly error: keyof typeof ErrorCode
}

/** Requests are carried out and answered later. */
export interface DelayRule extends Selected, Partial<OfTopic>, OfKey, Frequency {
  readonly kind: 'delay'
  /** Default: all APIs. */
  readonly api?: string
  /** In milliseconds; at most 60000. */
  readonly delayMs: number
}

/** The connection is closed in place of the answer. */
export interface DropRule extends Selected, Partial<OfTopic>, OfKey, Frequency, AfterWork {
  readonly kind: 'drop'
  /** Default: all APIs. */
  readonly api?: string
}

/** The connection says nothing more: it is closed when the rule ends. */
export interface BlackHoleRule extends Selected, Partial<OfTopic>, OfKey, Frequency, AfterWork {
  readonly kind: 'black-hole'
  /** Default: all APIs. */
  readonly api?: string
}

/** Produce and Fetch wait while the rule is in force, and are then carried out. */
export interface PauseRule extends Selected, OfTopic {
  readonly kind: 'pause'
}

/** The partition has no leader: LEADER_NOT_AVAILABLE in Metadata, NOT_LEADER_OR_FOLLOWER in Produce, Fetch and ListOffsets. */
export interface LeaderlessRule extends Selected, OfTopic {
  readonly kind: 'leaderless'
}

/** The broker, or all of the cluster, is not to be reached: connections are cut, and ports closed. Leaders stay. */
export interface AwayRule extends Omit<Selected, 'clientId'> {
  readonly kind: 'away'
}

/** A fault: which requests, what happens to them, how often and how long. */
export type FaultRule = ErrorRule | DelayRule | DropRule | BlackHoleRule | PauseRule | LeaderlessRule | AwayRule
