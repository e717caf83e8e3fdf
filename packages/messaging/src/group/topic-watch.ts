import type { Admin } from '@taproom/kafkajs'
import { createBackOff, withDeadline } from '@taproom/time'
import { RETRY_WAITS } from '../kafka/client.ts'
import type { KafkaSession } from '../kafka/session.ts'
import type { TopicLife, TopicLives } from './topic-life.ts'

const ASK_LIMIT_MS = 3000

/** Finds out whether what a consumer reads is still the topic that it was assigned. */
export class TopicWatch {
  readonly #admin: Admin
  readonly #topic: string
  readonly #lives: TopicLives
  #life: TopicLife | undefined

  constructor(session: KafkaSession, topic: string, lives: TopicLives) {
    this.#admin = session.kafkajs.admin({ retry: { retries: 0 } })
    this.#topic = topic
    this.#lives = lives
  }

  async connect(): Promise<void> {
    await this.#admin.connect()
  }

  /** Finds out which topic was assigned. Rejects when Kafka does not answer. */
  async assigned(): Promise<TopicLife> {
    this.#life = this.#lives.next((await this.#ask()) ?? undefined)
    return this.#life
  }

  /**
   * Whether what was fetched may be of another topic than the one that was assigned. Asked after each fetch: a topic can be deleted, created
   * and filled again between two of them. Asks until Kafka answers; undefined when the signal aborts before.
   */
  async isOther(signal: AbortSignal): Promise<boolean | undefined> {
    const backOff = createBackOff(RETRY_WAITS)
    while (!signal.aborted) {
      try {
        const current = await this.#ask()
        return current != null && current !== this.#life?.topicId
      } catch {
        await backOff.wait(signal)
      }
    }
    return undefined
  }

  async close(): Promise<void> {
    await this.#admin.disconnect()
  }

  /** Null when the topic is missing, undefined when the broker knows no ids. */
  async #ask(): Promise<string | null | undefined> {
    const asked = this.#admin.fetchTopicIds({ topics: [this.#topic] })
    const [found] = await withDeadline(asked, ASK_LIMIT_MS, 'reading the id of the topic')
    return found?.topicId
  }
}
