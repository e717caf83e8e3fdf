import type { Clock } from '../clock.ts'
import type { Nodes } from '../cluster/nodes.ts'
import type { BrokerConfigs } from '../settings/broker-configs.ts'
import type { SegmentStore } from '../storage/byte-file.ts'
import type { FlushLimits } from '../storage/flushing.ts'
import type { StateStore } from '../storage/state-store.ts'
import type { PartitionLimits } from './partition-room.ts'

/** What a `TopicCatalog` is made of. */
export interface CatalogOptions extends PartitionLimits {
  readonly state: StateStore
  /** Default: one broker, which lives. */
  readonly nodes?: Nodes
  readonly segments: (nodeId: number, topicId: string, partition: number) => SegmentStore
  readonly newTopicId: () => string
  readonly defaultPartitions: number
  /** How long the cleaner of compacted topics rests between two rounds. */
  readonly cleanerBackoffMs: number
  /** Of records, in all partitions together; beyond it the oldest are dropped. */
  readonly maxStoredBytes: number
  /** Called when that happens for the first time. */
  readonly onMemoryFull?: () => void
  readonly clock: Clock
  /** What topics have that were not given something else; default: nothing but what every topic has. */
  readonly configs?: Pick<BrokerConfigs, 'topicDefaults' | 'cleanerBackoffMs' | 'onChange'>
  /** Of topics that do not say when they are flushed. */
  readonly flush?: FlushLimits
}
