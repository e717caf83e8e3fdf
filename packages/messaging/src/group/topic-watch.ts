import type { Admin, Batch } from '@taproom/kafkajs'
import { withDeadline } from '@taproom/time'
import type { KafkaSession } from '../kafka/session.ts'

/** Shorter than a session: without an answer nothing is read, and no heartbeat is sent. */
const ASK_LIMIT_MS = 3000
/** So long an answer holds for what is read: nobody deletes a topic, creates it and fills it again within that time. */
const FRESH_MS = 200

/** Finds out whether what a consumer reads is still the topic that it began with. */
export class TopicWatch {
  readonly #admin: Admin
  readonly #topic: string
  /** By partition, the last offset that was read. */
  readonly #read = new Map<number, bigint>()
  #topicId: string | undefined
  #askedAtMs = Number.NEGATIVE_INFINITY

  constructor(session: KafkaSession, topic: string) {
    this.#admin = session.kafkajs.admin({ retry: { retries: 2 } })
    this.#topic = topic
  }

  /** The id of the topic; undefined where the broker knows none, or the topic is missing. Rejects when Kafka does not answer. */
  async begin(): Promise<string | undefined> {
    await this.#admin.connect()
    this.#topicId = await this.#ask()
    return this.#topicId
  }

  /**
   * Whether a batch may be of another topic than {@link begin} found. Kafka is asked when its last answer is old, and when offsets go back.
   * Rejects when Kafka does not answer.
   */
  async isOther({ partition, messages }: Batch): Promise<boolean> {
    const [first, last] = [messages.at(0), messages.at(-1)]
    if (first === undefined || last === undefined || this.#topicId === undefined) return false
    const isBack = BigInt(first.offset) <= (this.#read.get(partition) ?? -1n)
    this.#read.set(partition, BigInt(last.offset))
    if (!isBack && performance.now() - this.#askedAtMs < FRESH_MS) return false
    const current = await this.#ask()
    return current !== undefined && current !== this.#topicId
  }

  async close(): Promise<void> {
    await this.#admin.disconnect()
  }

  async #ask(): Promise<string | undefined> {
    const askedAtMs = performance.now()
    const topics = [this.#topic]
    const asked = this.#admin.fetchTopicIds({ topics })
    const [found] = await withDeadline(asked, ASK_LIMIT_MS, 'reading the id of the topic')
    this.#askedAtMs = askedAtMs
    return found?.topicId ?? undefined
  }
}
