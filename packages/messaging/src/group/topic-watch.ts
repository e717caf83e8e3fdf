import type { Admin } from '@taproom/kafkajs'
import { withDeadline } from '@taproom/time'
import type { KafkaSession } from '../kafka/session.ts'
import type { TopicLife, TopicLives } from './topic-life.ts'

/** Shorter than a session: without an answer nothing is read, and no heartbeat is sent. */
const ASK_LIMIT_MS = 3000

/** Finds out whether what a consumer reads is still the topic that it began with. */
export class TopicWatch {
  readonly #admin: Admin
  readonly #topic: string
  readonly #lives: TopicLives
  #life: TopicLife | undefined

  constructor(session: KafkaSession, topic: string, lives: TopicLives) {
    this.#admin = session.kafkajs.admin({ retry: { retries: 2 } })
    this.#topic = topic
    this.#lives = lives
  }

  /** Finds out which topic it is. Rejects when Kafka does not answer. */
  async begin(): Promise<TopicLife> {
    await this.#admin.connect()
    this.#life = this.#lives.next(await this.#ask())
    return this.#life
  }

  /**
   * Whether what was fetched may be of another topic than {@link begin} found. Asked before each batch: a topic can be deleted, created and
   * filled again between two of them. Rejects when Kafka does not answer.
   */
  async isOther(): Promise<boolean> {
    const life = this.#life
    const current = await this.#ask()
    if (life === undefined || current === undefined) return false
    // It was missing, and here are its first records.
    life.topicId ??= current
    return current !== life.topicId
  }

  async close(): Promise<void> {
    await this.#admin.disconnect()
  }

  async #ask(): Promise<string | undefined> {
    const topics = [this.#topic]
    const asked = this.#admin.fetchTopicIds({ topics })
    const [found] = await withDeadline(asked, ASK_LIMIT_MS, 'reading the id of the topic')
    return found?.topicId ?? undefined
  }
}
