import type { IncomingMessage } from '../channel/message.ts'

export interface FanOutOptions<T> {
  /** Used in logs. */
  readonly channel: string
  readonly topic: string
  /** The group of its readers: those in it share the partitions. It stores no offsets. */
  readonly groupId: string
  /** Makes of a message what all subscriptions get. What it throws goes to their `onUnreadable`. */
  read(message: IncomingMessage): T
  /** What a message has of that name, for subscriptions that say what they need. Must not throw. Default: nothing. */
  attributeOf?(value: T, name: string): string | undefined
  /**
   * How often offsets are stored, in milliseconds. Default 1000; those of a subscription that nothing was for, a fifth as often, and twenty
   * of these each time at most.
   */
  readonly commitIntervalMs?: number
}

export interface NeededAttribute {
  readonly name: string
  readonly value: string
}

export interface FanOutSubscriptionOptions<T> {
  /** Where its offsets are stored; it has no members. A group without offsets begins with the first message there is. */
  readonly groupId: string
  /** Most messages in flight. Default 1: one after another, in the order of each partition. */
  readonly concurrency?: number
  /** Most bytes of keys, values and headers in flight; a larger message is in flight alone. Default 64 MiB. */
  readonly bufferBytes?: number
  /** Time for handlers in flight when it is closed, in milliseconds. Default 5000. */
  readonly graceMs?: number
  /**
   * What each message has that it wants, as `attributeOf` tells: once it has caught up, `wants` is asked about no others, but for those of a
   * sampled trace. Called when it has caught up, and again after `changed`. Default, or when it throws: undefined, `wants` is asked about each.
   */
  needs?(): NeededAttribute | undefined
  /** False: the message needs no handling. Must not throw. Default: true. */
  wants?(value: T): boolean
  /**
   * Told of a message that it does not want or need, inside of a span of its own: only where the sender has sampled the message's trace,
   * which then has a span of each subscription. Must not throw. Default: there is no such span.
   */
  onUnwanted?(value: T): void
  /**
   * Handles one message, which is acknowledged when this returns, or fails before `signal` aborts (that is logged). At least once:
   * unacknowledged messages come again after a crash, or when another reader had the partition.
   */
  onMessage(value: T, message: IncomingMessage, signal: AbortSignal): Promise<void>
  /**
   * Called with a message that cannot be decoded or read, and acknowledges it. `records`: how many it stands for. A batch that cannot be
   * decoded is one message for all its records. Must not throw.
   */
  onUnreadable(message: IncomingMessage, error: unknown, records: number): void
}

/**
 * Its place in the topic is stored in a group of its own. One that does not keep up with the others reads by itself, until it has caught
 * up: it holds up nobody.
 */
export interface FanOutSubscription extends AsyncDisposable {
  /** Whether it reads by itself at the moment. */
  readonly isBehind: boolean
  /** Messages that it was not asked about, as they have not what it needs. */
  readonly unasked: number
  /** What it wants and needs is different for the messages that are read from now on. */
  changed(): void
}

/** One reader of a topic for any number of subscriptions: each message is fetched, decoded and read once. */
export interface FanOut<T> extends AsyncDisposable {
  /**
   * @throws {RangeError} when an option is invalid
   * @throws {ChannelClosedError} when it is closed
   */
  subscribe(options: FanOutSubscriptionOptions<T>): FanOutSubscription
}
