import { failureOf } from '../protocol/protocol-error.ts'
import { buildOwnBatch, type OwnRecord } from '../records/own-batch.ts'
import { coordinatedIn, INTERNAL_TOPICS } from '../topics/internal-topics.ts'
import type { Partition } from '../topics/partition.ts'
import type { TopicCatalog } from '../topics/topic-catalog.ts'
import type { PartitionOffset } from './committed-offset.ts'
import type { Group } from './group.ts'
import { committedRecord, forgottenRecord, goneRecord, groupRecord } from './group-records.ts'

/** As Apache Kafka's max.message.bytes: larger records of groups are left out. */
const MAX_RECORD_BYTES = 1_048_588
/** Each has 6 KiB at most, as commits have 4 KiB of metadata. */
const MAX_BATCH_RECORDS = 100

/**
 * What groups have committed and who their members are, once more as records of the internal topic, for tools that read it. Nothing here
 * reads them: they are a copy of the state of the cluster, written before it.
 */
export class GroupLog {
  readonly #topics: TopicCatalog
  readonly #now: () => number

  constructor(topics: TopicCatalog, now: () => number) {
    this.#topics = topics
    this.#now = now
  }

  get #partitions(): readonly Partition[] {
    return this.#topics.find(INTERNAL_TOPICS.group.name)?.partitions ?? []
  }

  /** Nothing was ever written, as in data of versions that did not. */
  get isEmpty(): boolean {
    return this.#partitions.every(({ endOffset }) => endOffset === 0)
  }

  committed(groupId: string, offsets: readonly PartitionOffset[]): void {
    const now = this.#now()
    this.#write(
      groupId,
      offsets.map((each) => committedRecord(groupId, each, now)),
    )
  }

  forgotten(groupId: string, topic: string, partitions: readonly number[]): void {
    this.#write(
      groupId,
      partitions.map((partition) => forgottenRecord(groupId, topic, partition)),
    )
  }

  /** A group without members is there for as long as it has offsets. */
  settled(group: Group, { hasOffsets }: { readonly hasOffsets: boolean }): void {
    if (group.members.length === 0 && !hasOffsets) this.gone(group.id)
    else this.#writeIfPossible(group.id, groupRecord(group, this.#now()))
  }

  gone(groupId: string): void {
    this.#writeIfPossible(groupId, goneRecord(groupId))
  }

  /** Groups go on where this cannot be written: who their members are is in memory. */
  #writeIfPossible(groupId: string, record: OwnRecord): void {
    if ((record.value?.length ?? 0) > MAX_RECORD_BYTES) return
    try {
      this.#write(groupId, [record])
    } catch (error) {
      failureOf(error)
    }
  }

  /** While the partition has no leader, its groups have no coordinator; what becomes of them then is not written. */
  #write(groupId: string, records: readonly OwnRecord[]): void {
    const partitions = this.#partitions
    const partition = partitions[coordinatedIn(groupId, partitions.length)]
    if (!partition?.replicas.leader) return
    for (let at = 0; at < records.length; at += MAX_BATCH_RECORDS) {
      partition.place(buildOwnBatch(records.slice(at, at + MAX_BATCH_RECORDS), this.#now()))
    }
  }
}
