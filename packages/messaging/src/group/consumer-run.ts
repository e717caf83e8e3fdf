import { atMost, withDeadline } from '@taproom/core/time'
import type { Consumer, ConsumerGroupJoinEvent, EachBatchPayload } from '@taproom/kafkajs'
import { AdminConnection } from '../kafka/admin-connection.ts'
import { CALL_RETRIES, type KafkaClient } from '../kafka/client.ts'
import type { KafkaSession } from '../kafka/session.ts'
import { type TopicLife, type TopicLives, TopicWatch } from './topic-watch.ts'

/** After this time without a join, fetch or heartbeat a consumer counts as failed, in ms, unless a rebalance may take longer. */
const SILENCE_LIMIT_MS = 30_000
const REBALANCE_MARGIN_MS = 10_000
const WATCH_EVERY_MS = 1000
const LEAVE_LIMIT_MS = 1500
const REMOVE_LIMIT_MS = 1000
const DISCONNECT_LIMIT_MS = 500

/** What a consumer reads since the last rebalance. */
export interface Assignment {
  readonly consumer: Consumer
  /** Stays the same in a rebalance, unless the group has removed this member. */
  readonly memberId: string
  readonly partitions: readonly number[]
  /** Rejects when Kafka does not answer: then the consumer has failed. */
  readonly life: Promise<TopicLife>
}

/** What a group member does with its partitions. */
interface GroupReader {
  /** Called after every rebalance; reading begins when the promise resolves, or at once when there is none. */
  onAssigned(assignment: Assignment): Promise<void> | undefined
  /** Called while the old assignment is still valid for a commit. */
  onRebalancing?(): void
  /** Takes a batch of the topic that was assigned. Heartbeats are sent meanwhile; `broken` aborts when one fails. */
  onBatch(batch: EachBatchPayload, broken: AbortSignal): Promise<void>
}

export interface ConsumerRunOptions extends GroupReader {
  readonly kafka: KafkaClient
  readonly topic: string
  readonly groupId: string
  readonly lives: TopicLives
  /** How many partitions are handled in parallel. */
  readonly partitionsAtOnce: number
  /** Called when reading is about to begin. Returns true to keep the partitions paused. */
  onReading(partitions: readonly number[]): boolean
  /** Called when the group coordinator has answered. */
  onContact(): void
}

/** Each join has its own state object, so that work for an earlier join can be recognised. */
type State = { readonly kind: 'joining' } | { readonly kind: 'joined' } | { readonly kind: 'stopped' }

/**
 * One kafkajs consumer, from its start until it fails or is stopped. It fails when kafkajs reports any crash, when it does not start, and
 * when it makes no contact for too long.
 */
export class ConsumerRun {
  readonly #options: ConsumerRunOptions
  readonly session: KafkaSession
  readonly #consumer: Consumer
  readonly #topic: TopicWatch
  readonly #failure = Promise.withResolvers<never>()
  readonly #watchdog: NodeJS.Timeout
  readonly #started: Promise<void>
  readonly #stopping = new AbortController()
  readonly #silenceLimitMs: number
  #isConnected = false
  /** While the group has it as a member. */
  #memberId: string | undefined
  /** Brokers that have not answered a fetch yet. */
  readonly #fetching = new Set<number>()
  #state: State = { kind: 'joining' }
  #preparing: Promise<void> = Promise.resolve()
  #lastSignMs = Date.now()

  constructor(options: ConsumerRunOptions) {
    this.#options = options
    const { rebalanceTimeoutMs } = options.kafka.groupTiming
    this.#silenceLimitMs = Math.max(SILENCE_LIMIT_MS, rebalanceTimeoutMs + REBALANCE_MARGIN_MS)
    this.session = options.kafka.openSession()
    this.#consumer = createConsumer(this.session, options)
    this.#topic = new TopicWatch(this.session, options.topic, options.lives)
    // It may fail before anything awaits it: that must not be an unhandled rejection.
    this.failure.catch(() => undefined)
    this.#watchdog = setInterval(() => {
      const isSilent = Date.now() - this.#lastSignMs > this.#silenceLimitMs
      if (isSilent) this.fail(new Error('the consumer gave no sign of life'))
    }, WATCH_EVERY_MS)
    this.#listen()
    this.#started = withDeadline(this.#start(), this.#silenceLimitMs, 'joining the group')
    this.#started.catch((error: unknown) => this.fail(error))
  }

  /** Rejects when the consumer has failed; never resolves. */
  get failure(): Promise<never> {
    return this.#failure.promise
  }

  fail(reason: unknown): void {
    this.#failure.reject(reason)
  }

  /** Stops fetching; heartbeats go on. */
  pause(): void {
    // Before the join kafkajs would refuse this; then onReading keeps the partitions paused.
    if (this.#state.kind === 'joined') this.#consumer.pause([{ topic: this.#options.topic }])
  }

  /** Leaves the group and cuts the connections. Takes three seconds at most. */
  async stop(): Promise<void> {
    const { kafka, groupId } = this.#options
    this.#state = { kind: 'stopped' }
    this.#stopping.abort()
    clearInterval(this.#watchdog)
    await atMost(this.#leave(), this.#isConnected ? LEAVE_LIMIT_MS : DISCONNECT_LIMIT_MS)
    this.session.cut()
    const memberId = this.#memberId
    if (memberId === undefined) return
    // Kafka waits for a member until its session ends, also for one whose connection is gone.
    const admin = new AdminConnection(kafka, REMOVE_LIMIT_MS)
    await admin.call('leaving the group', (client) => client.removeMember({ groupId, memberId })).catch(() => undefined)
    await admin.close()
  }

  /** kafkajs leaves no group that it has not joined yet, and does not say when it could not leave. */
  async #leave(): Promise<void> {
    await this.#started
    const left = this.#consumer.disconnect()
    // kafkajs waits for the answer to its last fetch, for which Kafka waits for records. It leaves the group over a new connection.
    if (this.#fetching.size > 0) this.session.endRequests()
    await Promise.all([left, this.#topic.close()])
  }

  async #start(): Promise<void> {
    const { topic, partitionsAtOnce } = this.#options
    await Promise.all([this.#consumer.connect(), this.#topic.connect()])
    this.#isConnected = true
    // Readers store where they begin. An offset outside the log, as after retention, continues at the first record of the log.
    await this.#consumer.subscribe({ topics: [topic], fromBeginning: true })
    if (this.#state.kind === 'stopped') return
    await this.#consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: partitionsAtOnce,
      eachBatch: (batch) => this.#keepAlive(batch),
    })
  }

  /**
   * Sends heartbeats while the reader works on a batch. After one that failed (rebalance, Kafka away), its error is thrown once the work
   * has ended.
   */
  async #keepAlive(batch: EachBatchPayload): Promise<void> {
    const broken = new AbortController()
    const beat = setInterval(
      () => batch.heartbeat().catch((error: unknown) => broken.abort(error)),
      this.#options.kafka.groupTiming.heartbeatIntervalMs,
    )
    try {
      await this.#onBatch(batch, broken.signal)
    } finally {
      clearInterval(beat)
    }
    broken.signal.throwIfAborted()
  }

  /** A topic can be deleted and created again between two fetches. Then the next consumer fetches from the right place. */
  async #onBatch(batch: EachBatchPayload, broken: AbortSignal): Promise<void> {
    const { topic } = this.#options
    const isOther = await this.#topic.isOther(AbortSignal.any([broken, this.#stopping.signal]))
    if (broken.aborted || isOther === undefined) return
    if (isOther) this.fail(new Error(`the topic ${topic} was deleted and created again`))
    else await this.#options.onBatch(batch, broken)
  }

  #listen(): void {
    const consumer = this.#consumer
    const { events } = consumer
    consumer.on(events.GROUP_MEMBER_ID, ({ payload }) => {
      this.#memberId = payload.memberId ?? undefined
    })
    consumer.on(events.FETCH_START, ({ payload }) => this.#fetching.add(payload.nodeId))
    consumer.on(events.FETCH, ({ payload }) => {
      this.#fetching.delete(payload.nodeId)
      this.#noteSign()
    })
    consumer.on(events.CRASH, ({ payload }) => this.fail(payload.error))
    consumer.on(events.HEARTBEAT, () => {
      this.#noteSign()
      this.#options.onContact()
    })
    consumer.on(events.REBALANCING, () => {
      this.#noteSign()
      if (this.#state.kind === 'stopped') return
      this.#options.onRebalancing?.()
    })
    consumer.on(events.GROUP_JOIN, ({ payload }) => {
      this.#noteSign()
      if (this.#state.kind !== 'stopped') this.#join(payload)
    })
  }

  #noteSign(): void {
    this.#lastSignMs = Date.now()
  }

  #join({ memberId, memberAssignment }: ConsumerGroupJoinEvent['payload']): void {
    const { topic } = this.#options
    this.#options.onContact()
    const joined: State = { kind: 'joined' }
    this.#state = joined
    const partitions = memberAssignment[topic] ?? []
    // kafkajs emits this event before it fetches anything, so nothing is read too early.
    this.#consumer.pause([{ topic, partitions: [...partitions] }])
    const life = this.#topic.assigned()
    // A reader that does not need it must not cause an unhandled rejection.
    life.catch(() => undefined)
    const work = this.#options.onAssigned({ consumer: this.#consumer, memberId, partitions, life })
    if (work === undefined) {
      this.#read(joined, partitions)
      return
    }
    // Both are awaited from now on: the one behind must not fail unseen while the one before it is under way.
    this.#preparing = Promise.all([this.#preparing, work]).then(() => this.#read(joined, partitions))
    this.#preparing.catch((error: unknown) => this.fail(error))
  }

  /** Does nothing when the consumer has been stopped or has joined again. */
  #read(joined: State, partitions: readonly number[]): void {
    if (this.#state !== joined) return
    const staysPaused = this.#options.onReading(partitions)
    if (!staysPaused) this.#consumer.resume([{ topic: this.#options.topic, partitions: [...partitions] }])
  }
}

function createConsumer(session: KafkaSession, { kafka, groupId }: ConsumerRunOptions): Consumer {
  const { sessionTimeoutMs, rebalanceTimeoutMs, heartbeatIntervalMs } = kafka.groupTiming
  return session.kafkajs.consumer({
    groupId,
    sessionTimeout: sessionTimeoutMs,
    rebalanceTimeout: rebalanceTimeoutMs,
    heartbeatInterval: heartbeatIntervalMs,
    maxWaitTimeInMs: 500,
    maxBytes: 8 * 1024 * 1024,
    metadataMaxAge: 30_000,
    // No restart by kafkajs: a crashed consumer is always replaced by a new one.
    retry: { ...CALL_RETRIES, restartOnFailure: () => Promise.resolve(false) },
  })
}
