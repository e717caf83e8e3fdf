import type { Api } from '../src/apis/definition/api.ts'
import { alterShareGroupOffsets } from '../src/apis/share-groups/alter-share-group-offsets.ts'
import { deleteShareGroupOffsets } from '../src/apis/share-groups/delete-share-group-offsets.ts'
import { describeShareGroupOffsets } from '../src/apis/share-groups/describe-share-group-offsets.ts'
import { shareAcknowledge } from '../src/apis/share-groups/share-acknowledge.ts'
import { shareFetch } from '../src/apis/share-groups/share-fetch.ts'
import { shareGroupDescribe } from '../src/apis/share-groups/share-group-describe.ts'
import { shareGroupHeartbeat } from '../src/apis/share-groups/share-group-heartbeat.ts'
import type { Broker } from '../src/broker/broker.ts'
import { readBatchHeader } from '../src/records/record-batch.ts'
import { makeBatch } from './make-batch.ts'
import { makeContext } from './make-context.ts'

/** First and last offset, and the type of each acknowledgement: 0 gap, 1 accept, 2 release, 3 reject. */
export type Acknowledged = readonly [first: number, last: number, ...types: readonly number[]]

export interface FetchedPartition {
  readonly index: number
  readonly errorCode: number
  readonly acknowledgeErrorCode: number
  readonly currentLeader: { readonly leaderId: number }
  readonly records: Buffer
  readonly acquiredRecords: readonly {
    readonly firstOffset: number
    readonly lastOffset: number
    readonly deliveryCount: number
  }[]
}

interface Answered<P> {
  readonly errorCode: number
  readonly topics: readonly { readonly partitions: readonly P[] }[]
}

/** What a fetch has given: `first-last×deliveries`, or its errors. */
export function given({ errorCode, topics }: Answered<FetchedPartition>): readonly string[] {
  if (errorCode !== 0) return [`error ${errorCode}`]
  return topics.flatMap(({ partitions }) =>
    partitions.flatMap((partition) => {
      const errors = [partition.errorCode, partition.acknowledgeErrorCode].filter((code) => code !== 0)
      const acquired = partition.acquiredRecords.map(
        (each) => `${each.firstOffset}-${each.lastOffset}×${each.deliveryCount}`,
      )
      return [...errors.map((code) => `error ${code}`), ...acquired]
    }),
  )
}

/** A member of the share group `g`, which reads the first partition of a topic. */
export class ShareClient {
  readonly #broker: Broker
  readonly #memberId: string
  readonly #topic: string
  readonly #connection = new AbortController()
  #epoch = 0

  constructor(broker: Broker, memberId: string, topic = 't') {
    this.#broker = broker
    this.#memberId = memberId
    this.#topic = topic
  }

  async ask<T>(api: Api, version: number, request: unknown): Promise<T> {
    const more = { clientId: 'client', clientHost: '/host', signal: this.#connection.signal }
    return (await api.handle(request, makeContext(this.#broker, version, more))) as T
  }

  heartbeat(memberEpoch: number, subscribedTopicNames: readonly string[] | null = null) {
    const request = { groupId: 'g', memberId: this.#memberId, memberEpoch, rackId: null, subscribedTopicNames }
    return this.ask<{
      readonly errorCode: number
      readonly errorMessage: string | null
      readonly memberEpoch: number
      readonly heartbeatIntervalMs: number
      readonly assignment: { readonly topicPartitions: readonly { readonly partitions: readonly number[] }[] } | null
    }>(shareGroupHeartbeat, 1, request)
  }

  async joins(): Promise<this> {
    await this.heartbeat(0, [this.#topic])
    return this
  }

  #topics(acknowledged: readonly Acknowledged[]) {
    const acknowledgementBatches = acknowledged.map(([firstOffset, lastOffset, ...acknowledgeTypes]) => ({
      firstOffset,
      lastOffset,
      acknowledgeTypes,
    }))
    const topicId = this.#broker.topics.find(this.#topic)?.id ?? '7'.repeat(32)
    return [{ topicId, partitions: [{ index: 0, acknowledgementBatches }] }]
  }

  #member(epoch = this.#epoch) {
    return { groupId: 'g', memberId: this.#memberId, shareSessionEpoch: epoch }
  }

  /** Goes on with its session, or begins one. */
  async fetch(acknowledged: readonly Acknowledged[] = [], more: object = {}): Promise<Answered<FetchedPartition>> {
    const limits = { maxWaitMs: 0, minBytes: 1, maxBytes: 1_000_000, maxRecords: 500, batchSize: 500 }
    const request = { ...this.#member(), ...limits, topics: this.#topics(acknowledged), forgottenTopics: [], ...more }
    this.#epoch += 1
    return await this.ask(shareFetch, 1, request)
  }

  async acknowledge(acknowledged: readonly Acknowledged[], epoch = this.#epoch): Promise<readonly number[]> {
    const request = { ...this.#member(epoch), topics: acknowledged.length === 0 ? [] : this.#topics(acknowledged) }
    this.#epoch += 1
    const { errorCode, topics } = await this.ask<Answered<{ readonly errorCode: number }>>(shareAcknowledge, 1, request)
    if (errorCode !== 0) return [errorCode]
    return topics.flatMap(({ partitions }) => partitions.map((partition) => partition.errorCode))
  }

  /** Ends its session in order. */
  async closes(): Promise<void> {
    await this.acknowledge([], -1)
    this.#epoch = 0
  }

  /** Its connection breaks. */
  breaks(): void {
    this.#connection.abort()
  }

  describe() {
    const request = { groupIds: ['g'], includeAuthorizedOperations: false }
    return this.ask<{ readonly groups: readonly unknown[] }>(shareGroupDescribe, 1, request)
  }

  /** Where the group is in its partitions. */
  async offsets(): Promise<readonly number[]> {
    const { groups } = await this.ask<{
      readonly groups: readonly {
        readonly topics: readonly { readonly partitions: readonly { readonly startOffset: number }[] }[]
      }[]
    }>(describeShareGroupOffsets, 0, { groups: [{ groupId: 'g', topics: null }] })
    return groups.flatMap(({ topics }) =>
      topics.flatMap(({ partitions }) => partitions.map((each) => each.startOffset)),
    )
  }

  alterOffset(startOffset: number, index = 0) {
    const topics = [{ name: this.#topic, partitions: [{ index, startOffset }] }]
    return this.ask(alterShareGroupOffsets, 0, { groupId: 'g', topics })
  }

  deleteOffsets(...names: readonly string[]) {
    return this.ask(deleteShareGroupOffsets, 0, { groupId: 'g', topics: names.map((name) => ({ name })) })
  }
}

/** Appends a batch with so many records of this hour. */
export function append(broker: Broker, recordCount: number, more: Parameters<typeof makeBatch>[0] = {}): void {
  const batch = makeBatch({ recordCount, timestamp: broker.now(), ...more })
  const header = readBatchHeader(batch)
  if (header) broker.leading('t', 0).append(batch, header, -1)
}
