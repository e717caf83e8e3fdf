import { setImmediate } from 'node:timers/promises'
import { reasonOf } from '@taproom/core/lines'
import { createBackOff, createOutage } from '@taproom/core/time'
import type { EachBatchPayload } from '@taproom/kafkajs'
import { createTopicAdmin, type TopicAdmin } from '../admin/topic-admin.ts'
import { ChannelClosedError } from '../channel/errors.ts'
import { checkInteger, checkName, DEFAULT_BUFFER_BYTES } from '../channel/option-rules.ts'
import { Turn } from '../channel/turn.ts'
import type { Assignment } from '../group/consumer-run.ts'
import { GroupMember } from '../group/group-member.ts'
import { AdminConnection } from '../kafka/admin-connection.ts'
import { type KafkaClient, RETRY_WAITS } from '../kafka/client.ts'
import { Audience } from './audience.ts'
import type { FanOut, FanOutOptions, FanOutSubscription, FanOutSubscriptionOptions } from './fan-out.ts'
import { COMMIT_LIMIT_MS, KafkaFanOutSubscription } from './kafka-subscription.ts'
import type { Bounds, Found } from './places.ts'
import type { Reading } from './reading.ts'
import { SharedMessage } from './shared-message.ts'

const FETCH_LIMIT_MS = 15_000
/** Of one that is behind: there may be a thousand of them. */
const FETCH_BYTES = 256 * 1024
/** Fewer than may wait, so that handlers that do not wait themselves keep up. */
const TURN_MESSAGES = 100
const MOST_PARTITIONS_AT_ONCE = 8
/** Messages that are read again for all when it begins; a subscription that is further behind the first one reads by itself. */
const NEAR = 20_000n
/** Offsets of a subscription that nothing was for are stored this many intervals apart at least, and so many of them at a time at most. */
const IDLE_INTERVALS = 5
const IDLE_COMMITS = 20

/**
 * Opens a reader of a topic for many. Returns at once; joins the group of its readers in the background, and again after every failure.
 * @throws {RangeError} when an option is invalid
 */
export function openFanOut<T>(kafka: KafkaClient, options: FanOutOptions<T>): FanOut<T> {
  return new KafkaFanOut(kafka, {
    ...options,
    topic: checkName('topic', options.topic),
    groupId: checkName('groupId', options.groupId),
    commitIntervalMs: checkInteger('commitIntervalMs', options.commitIntervalMs ?? 1000, 1),
  })
}

const NOTHING_FOUND: Found = { before: new Map(), stored: [] }

class KafkaFanOut<T> implements FanOut<T>, Reading<T> {
  readonly kafka: KafkaClient
  readonly admin: TopicAdmin
  readonly commits: TopicAdmin
  readonly topic: string
  readonly #options: FanOutOptions<T>
  readonly #subscriptions = new Set<KafkaFanOutSubscription<T>>()
  /** Of each partition that is read here. */
  readonly #audiences = new Map<number, Audience<T>>()
  readonly #catchUps: AdminConnection
  readonly #member: GroupMember
  readonly #commitTimer: NodeJS.Timeout
  readonly #closing = new AbortController()
  #assignment: Assignment | undefined
  /** `recreations` of the topic to which the places belong. */
  #recreations = 0
  #ticks = 0
  #turn: Promise<void> = Promise.resolve()

  constructor(kafka: KafkaClient, options: FanOutOptions<T> & { readonly commitIntervalMs: number }) {
    const { channel, topic, groupId, commitIntervalMs } = options
    this.kafka = kafka
    this.topic = topic
    this.#options = options
    this.admin = createTopicAdmin(kafka)
    this.commits = createTopicAdmin(kafka, { timeoutMs: COMMIT_LIMIT_MS })
    this.#catchUps = new AdminConnection(kafka, FETCH_LIMIT_MS)
    this.#member = new GroupMember({
      kafka,
      channel,
      topic,
      groupId,
      partitionsAtOnce: MOST_PARTITIONS_AT_ONCE,
      onAssigned: (assignment) => this.#assign(assignment),
      // Sent before it joins again, so that the next owner begins where this one stopped.
      onRebalancing: () => this.#commitLast(),
      onBatch: (batch, broken) => this.#dispatch(batch, broken),
    })
    this.#commitTimer = setInterval(() => this.#commit(), commitIntervalMs)
  }

  subscribe(options: FanOutSubscriptionOptions<T>): FanOutSubscription {
    const { concurrency = 1, bufferBytes = DEFAULT_BUFFER_BYTES, graceMs = 5000 } = options
    const { channel } = this.#options
    if (this.#closing.signal.aborted) throw new ChannelClosedError(`Channel ${channel} is closed`, { channel })
    const subscription: KafkaFanOutSubscription<T> = new KafkaFanOutSubscription<T>(this, {
      ...options,
      groupId: checkName('groupId', options.groupId),
      concurrency: checkInteger('concurrency', concurrency, 1),
      bufferBytes: checkInteger('bufferBytes', bufferBytes, 1),
      graceMs: checkInteger('graceMs', graceMs, 0),
      onStopping: () => {
        for (const audience of this.#audiences.values()) audience.remove(subscription)
      },
      onClosed: () => this.#subscriptions.delete(subscription),
      onChanged: () => this.#ask(subscription),
    })
    this.#subscriptions.add(subscription)
    this.#ask(subscription)
    // Before the first assignment nothing is known; then all find their places together.
    if (this.#assignment !== undefined && this.#audiences.size > 0) void this.#begin(subscription, this.#assignment)
    return subscription
  }

  headOf(partition: number): bigint | undefined {
    return this.#audiences.get(partition)?.next
  }

  async fetch(partition: number, from: bigint): ReturnType<Reading<T>['fetch']> {
    const { topic } = this
    const partitions = [{ partition, offset: String(from) }]
    const [found] = await this.#catchUps.call('reading records', (admin) =>
      admin.fetchRecords({ topic, partitions, maxBytes: FETCH_BYTES, maxWaitTime: 0, minBytes: 0 }),
    )
    const source = { topic, partition, read: this.#options.read }
    const messages = (found?.messages ?? []).map((record) => new SharedMessage<T>(source, record))
    return { messages, next: BigInt(found?.nextOffset ?? from) }
  }

  turn(): Promise<void> {
    this.#turn = this.#turn.then(() => setImmediate())
    return this.#turn
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    this.#member.pause()
    await Promise.all([...this.#subscriptions].map((subscription) => subscription[Symbol.asyncDispose]()))
    clearInterval(this.#commitTimer)
    await this.#member.close()
    await Promise.all([this.admin[Symbol.asyncDispose](), this.commits[Symbol.asyncDispose](), this.#catchUps.close()])
  }

  /** Reading begins where those are that are near the first one. */
  async #assign(assignment: Assignment): Promise<void> {
    const { consumer, partitions } = assignment
    this.#assignment = assignment
    for (const audience of this.#audiences.values()) audience.end()
    this.#audiences.clear()
    const { recreations } = await assignment.life
    const isOtherTopic = recreations !== this.#recreations
    // One whose offsets cannot be read holds up nobody: it is to find its places later.
    const reading = [...this.#subscriptions].map(async (subscription) => {
      // Places and stored offsets belong to the topic before.
      const found = isOtherTopic ? NOTHING_FOUND : await subscription.stored().catch(() => undefined)
      return { subscription, found }
    })
    const all = await Promise.all(reading)
    const bounds = await this.#bounds()
    // It has joined again meanwhile.
    if (this.#assignment !== assignment) return
    this.#recreations = recreations
    for (const { subscription, found } of all) subscription.restore(partitions, found, bounds)
    for (const partition of partitions) {
      const known = all.flatMap(({ subscription }) => subscription.placeIn(partition)?.next ?? [])
      const head = known.length === 0 ? BigInt(bounds.ends[partition] ?? 0) : firstNear(known)
      consumer.seek({ topic: this.topic, partition, offset: String(head) })
      this.#audiences.set(partition, new Audience(partition, head, this.#options.attributeOf ?? (() => undefined)))
    }
    for (const subscription of this.#subscriptions) this.#ask(subscription)
    for (const subscription of this.#subscriptions) void this.#begin(subscription, assignment)
  }

  async #bounds(): Promise<Bounds> {
    const { admin, topic } = this
    const [begins, ends] = await Promise.all([admin.beginOffsets(topic), admin.endOffsets(topic)])
    return { begins, ends }
  }

  /** One that came during an assignment, or later, finds its places first. Never rejects. */
  async #begin(subscription: KafkaFanOutSubscription<T>, assignment: Assignment): Promise<void> {
    const { partitions } = assignment
    const [backOff, outage] = [createBackOff(RETRY_WAITS), createOutage(this.kafka.log, 'kafka offsets not read')]
    const isToFind = () =>
      this.#assignment === assignment && this.#subscriptions.has(subscription) && subscription.isToFind(partitions)
    while (isToFind()) {
      try {
        const found = await subscription.stored()
        const bounds = await this.#bounds()
        if (!isToFind()) break
        this.#ask(subscription)
        subscription.restore(partitions, found, bounds)
      } catch (error) {
        outage.failed({ channel: this.#options.channel, groupId: subscription.groupId, reason: reasonOf(error) })
        await backOff.wait(this.#closing.signal)
      }
    }
    if (this.#assignment === assignment) subscription.begin()
  }

  /** Offers each message of a batch to all of them at once. */
  async #dispatch(payload: EachBatchPayload, broken: AbortSignal): Promise<void> {
    const { partition, messages, highWatermark } = payload.batch
    const head = this.headOf(partition)
    const assignment = this.#assignment
    const isOver = () =>
      assignment !== this.#assignment || this.#closing.signal.aborted || payload.isStale() || !payload.isRunning()
    // The topic was created again: all begin anew.
    if (head !== undefined && BigInt(highWatermark) < head) return this.#member.rebuild('the topic begins anew')
    const source = { topic: this.topic, partition, read: this.#options.read }
    const turn = new Turn()
    for (const [index, record] of messages.entries()) {
      if (broken.aborted || isOver()) return
      const audience = this.#audiences.get(partition)
      if (audience === undefined) return
      payload.resolveOffset(record.offset)
      const shared = new SharedMessage<T>(source, record)
      if (shared.offset < audience.next) continue
      audience.offer(shared)
      if (turn.isOver || index % TURN_MESSAGES === TURN_MESSAGES - 1) await turn.next()
    }
  }

  /** It is asked about each message, until it has reached the head. */
  #ask(subscription: KafkaFanOutSubscription<T>): void {
    if (subscription.isStopping) return
    for (const audience of this.#audiences.values()) audience.ask(subscription)
  }

  #commit(): void {
    const intervals = Math.max(IDLE_INTERVALS, Math.ceil(this.#subscriptions.size / IDLE_COMMITS))
    let turn = this.#ticks
    this.#ticks += 1
    for (const subscription of this.#subscriptions) {
      void subscription.commit({ isInTurn: turn % intervals === 0 })
      turn += 1
    }
  }

  #commitLast(): void {
    for (const subscription of this.#subscriptions) void subscription.commitLast()
  }
}

/** The lowest of those that are no further behind the highest than it is worth while to read again for all. */
function firstNear(offsets: readonly bigint[]): bigint {
  const [highest = 0n, ...others] = offsets.toSorted((a, b) => (a < b ? 1 : -1))
  return others.findLast((offset) => offset + NEAR >= highest) ?? highest
}
