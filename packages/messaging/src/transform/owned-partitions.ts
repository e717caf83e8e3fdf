import type { Assignment } from '../group/consumer-run.ts'
import type { TopicLife } from '../group/topic-watch.ts'
import type { KafkaClient } from '../kafka/client.ts'
import { acquirePartition, type PartitionWriter } from './partition-writer.ts'
import type { TransformOptions } from './transform-channel.ts'

/** The member that has the partitions, and what it knows of their topic. */
interface Owner extends Pick<Assignment, 'consumer' | 'memberId'> {
  readonly life: TopicLife
}

/** The input partitions that this member owns, each with its writer. */
export class OwnedPartitions {
  readonly #kafka: KafkaClient
  readonly #options: Required<TransformOptions>
  readonly #writers = new Map<number, PartitionWriter>()
  /** The consumer of the last assignment. */
  #owner: Owner | undefined
  #assigning: Promise<void> = Promise.resolve()

  constructor(kafka: KafkaClient, options: Required<TransformOptions>) {
    this.#kafka = kafka
    this.#options = options
  }

  /** Undefined when another member owns the partition, or its writer failed. */
  writer(partition: number): PartitionWriter | undefined {
    return this.#writers.get(partition)
  }

  /** Adopts a new assignment. One at a time, because two takeovers of one partition would fence each other. */
  assign(assignment: Assignment): Promise<void> {
    this.#assigning = this.#assigning.catch(() => undefined).then(() => this.#takeOver(assignment))
    return this.#assigning
  }

  /** Drops a writer that failed: its last transaction may or may not be committed. */
  async giveUp(partition: number, writer: PartitionWriter): Promise<void> {
    if (this.#writers.get(partition) === writer) this.#writers.delete(partition)
    await writer.close()
  }

  /** Creates a writer if the partition has none, and continues reading after the last committed transaction. */
  async resume(partition: number): Promise<void> {
    if (this.#owner !== undefined) await this.#position(this.#owner, partition)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#writers.values()].map((writer) => writer.close()))
  }

  async #takeOver({ consumer, memberId, partitions, ...assignment }: Assignment): Promise<void> {
    const owner = { consumer, memberId, life: await assignment.life }
    const isSameMember = this.#owner?.memberId === memberId && this.#owner.life.recreations === owner.life.recreations
    this.#owner = owner
    const given = [...this.#writers].filter(([partition]) => !isSameMember || !partitions.includes(partition))
    for (const [partition] of given) this.#writers.delete(partition)
    await Promise.all(given.map(([, writer]) => writer.close()))
    await Promise.all(partitions.map((partition) => this.#position(owner, partition)))
  }

  async #position({ consumer, life }: Owner, partition: number): Promise<void> {
    let writer = this.#writers.get(partition)
    if (writer === undefined) {
      writer = await acquirePartition(this.#kafka, this.#options, partition, life)
      this.#writers.set(partition, writer)
    }
    consumer.seek({ topic: this.#options.inputTopic, partition, offset: String(writer.position) })
  }
}
