import type { Clock } from '../clock.ts'
import type { AuthorizerRules } from '../security/acl/authorizer.ts'
import type { BrokerConfig } from '../settings/dynamic-settings.ts'
import type { SessionLimits } from '../settings/session-limits.ts'
import type { OnDamage } from '../storage/damage.ts'
import type { FlushLimits } from '../storage/flushing.ts'
import type { OnWriteFailure } from '../storage/write-failures.ts'
import type { PartitionLimits } from '../topics/partition-room.ts'

/** Limits of the brokers together; beyond them, requests are refused with an error of the protocol. */
export interface ClusterLimits extends PartitionLimits {
  readonly maxGroups: number
  readonly maxGroupMembers: number
  readonly maxTransactionalIds: number
  /** Of records, without a data folder; default: any number. */
  readonly maxStoredBytes?: number
}

export interface ClusterOptions {
  /** Of each broker; default: one broker without a rack. */
  readonly racks?: readonly (string | null)[]
  /** Undefined: everything in memory. */
  readonly dataDir?: string
  /** Called for each damaged file, with the place where it is kept. */
  readonly onDamage?: OnDamage
  /** Called when a file of the data folder cannot be written, once until it can be again. */
  readonly onWriteFailure?: OnWriteFailure
  /** Called when records are dropped for the first time because there are `maxStoredBytes`. */
  readonly onMemoryFull?: () => void
  readonly defaultPartitions: number
  readonly autoCreateTopics: boolean
  /** The defaults of topics, under the names of the broker's properties; default: Apache Kafka's. */
  readonly started?: BrokerConfig
  /** How long the cleaner of compacted topics rests between two rounds. */
  readonly cleanerBackoffMs: number
  readonly limits: ClusterLimits
  /** The id of the first broker; the others follow. Default 1. */
  readonly firstNodeId?: number
  /** Leaders name the nearest replica to clients that say where they are; default false. */
  readonly isRackAware?: boolean
  /** For members of classic groups; default: Apache Kafka's. */
  readonly sessions?: SessionLimits
  /** Default: the machine's, which can be moved ahead. */
  readonly clock?: Clock
  /** Undefined: everybody may do everything. */
  readonly authorizer?: AuthorizerRules | undefined
  /** When logs and committed offsets are flushed to the device; default: when the operating system likes. */
  readonly flush?: FlushLimits
  /** Which start of the machine this is; default: the one of now. */
  readonly boot?: string
}
