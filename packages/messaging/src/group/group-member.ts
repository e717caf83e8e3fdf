import { reasonOf } from '@taproom/core/lines'
import { createBackOff, createOutage, type Outage } from '@taproom/core/time'
import { RETRY_WAITS } from '../kafka/client.ts'
import { ConsumerRun, type ConsumerRunOptions } from './consumer-run.ts'
import { TopicLives } from './topic-watch.ts'

export type MemberState =
  | { readonly phase: 'connecting' }
  | { readonly phase: 'assigned'; readonly partitions: number }
  | { readonly phase: 'rebalancing'; readonly sinceMs: number }
  | { readonly phase: 'closed' }

interface GroupMemberOptions extends Omit<ConsumerRunOptions, 'lives' | 'onReading' | 'onContact'> {
  readonly channel: string
}

/**
 * A member of a consumer group until `close`. It joins in the background, and replaces a kafkajs consumer that fails, with waits of 200 ms
 * to 3 s.
 */
export class GroupMember {
  readonly #options: GroupMemberOptions
  readonly #closing = new AbortController()
  readonly #firstAssignment = Promise.withResolvers<void>()
  readonly #outage: Outage
  readonly #backOff = createBackOff(RETRY_WAITS)
  readonly #lives = new TopicLives()
  readonly #ended: Promise<void>
  #state: MemberState = { phase: 'connecting' }
  #run: ConsumerRun | undefined
  #failure: string | undefined
  #heartbeatAtMs = 0
  #restarts = 0
  #isPaused = false

  constructor(options: GroupMemberOptions) {
    this.#options = options
    this.#outage = createOutage(options.kafka.log, 'kafka consumer failed, trying again')
    this.#ended = this.#supervise()
  }

  /** Resolves at the first assignment. */
  get assigned(): Promise<void> {
    return this.#firstAssignment.promise
  }

  get state(): MemberState {
    return this.#state
  }

  /** When the group coordinator last answered, in milliseconds since the epoch; 0 before its first answer. */
  get heartbeatAtMs(): number {
    return this.#heartbeatAtMs
  }

  /** Why the last consumer failed; undefined once the group has given this member its partitions. */
  get failure(): string | undefined {
    return this.#failure
  }

  /** How many consumers failed. */
  get restarts(): number {
    return this.#restarts
  }

  /** Replaces the consumer by a new one. */
  rebuild(reason: unknown): void {
    this.#run?.fail(reason)
  }

  /** Stops fetching; heartbeats go on. */
  pause(): void {
    this.#isPaused = true
    this.#run?.pause()
  }

  /** Leaves the group. Takes three seconds at most. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#ended
  }

  async #supervise(): Promise<void> {
    const { channel, groupId } = this.#options
    const { signal } = this.#closing
    const closed = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    while (!signal.aborted) {
      const run = this.#start()
      this.#run = run
      try {
        await Promise.race([run.failure, closed])
      } catch (error) {
        this.#restarts += 1
        this.#failure = run.session.refusal(error) ?? reasonOf(error)
        this.#outage.failed({ channel, groupId, reason: this.#failure })
      }
      this.#state = { phase: 'connecting' }
      await run.stop()
      await this.#backOff.wait(signal)
    }
    this.#state = { phase: 'closed' }
  }

  #start(): ConsumerRun {
    return new ConsumerRun({
      ...this.#options,
      lives: this.#lives,
      onReading: (partitions) => this.#noteAssigned(partitions),
      onRebalancing: () => {
        if (this.#state.phase === 'assigned') this.#state = { phase: 'rebalancing', sinceMs: Date.now() }
        this.#options.onRebalancing?.()
      },
      onContact: () => {
        this.#heartbeatAtMs = Date.now()
      },
    })
  }

  /** Whether the partitions stay paused. */
  #noteAssigned(partitions: readonly number[]): boolean {
    const { kafka, channel, groupId } = this.#options
    this.#state = { phase: 'assigned', partitions: partitions.length }
    this.#backOff.reset()
    this.#failure = undefined
    this.#outage.over()
    this.#firstAssignment.resolve()
    kafka.log.info({ channel, groupId, partitions }, 'kafka partitions assigned')
    return this.#isPaused
  }
}
