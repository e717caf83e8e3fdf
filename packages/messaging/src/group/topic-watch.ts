import { createBackOff, withDeadline } from '@taproom/core/time'
import type { Admin } from '@taproom/kafkajs'
import { RETRY_WAITS } from '../kafka/client.ts'
import type { KafkaSession } from '../kafka/session.ts'

const ASK_LIMIT_MS = 3000

/** One life of a topic, from its creation to its deletion. A topic of the same name that is created later has another id (KIP-516). */
export interface TopicLife {
  /** Undefined where the broker knows no ids (before Kafka 2.8), and where the topic is missing. */
  readonly topicId: string | undefined
  /** How often the topic was created again since the channel was opened. All records of such a topic came after the first assignment. */
  readonly recreations: number
}

/** Counts the lives of one channel's topic, over all consumers of the channel. */
export class TopicLives {
  #known: string | undefined
  #recreations = 0

  /** The life with this topic id, as Kafka gives it; undefined when Kafka gives none. */
  next(topicId: string | undefined): TopicLife {
    if (topicId !== undefined && this.#known !== undefined && topicId !== this.#known) this.#recreations += 1
    this.#known = topicId ?? this.#known
    return { topicId, recreations: this.#recreations }
  }
}

/** Detects that a consumer's topic was deleted and created again since the assignment. */
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

  /** Reads the id of the topic at an assignment. Rejects when Kafka does not answer. */
  async assigned(): Promise<TopicLife> {
    this.#life = this.#lives.next((await this.#ask()) ?? undefined)
    return this.#life
  }

  /**
   * True when a fetched batch may belong to another topic than the assigned one. Call it after each fetch, because a topic can be deleted,
   * created and filled again between two fetches. Retries until Kafka answers; undefined as soon as the signal aborts: a
   * consumer that is stopped leaves its group only when its batches have ended.
   */
  async isOther(signal: AbortSignal): Promise<boolean | undefined> {
    const backOff = createBackOff(RETRY_WAITS)
    while (!signal.aborted) {
      try {
        const current = await unlessAborted(this.#ask(), signal)
        if (signal.aborted) return undefined
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

  /** Null when the topic is missing; undefined when the broker has no topic ids (before Kafka 2.8). */
  async #ask(): Promise<string | null | undefined> {
    const asked = this.#admin.fetchTopicIds({ topics: [this.#topic] })
    const [found] = await withDeadline(asked, ASK_LIMIT_MS, 'reading the id of the topic')
    return found?.topicId
  }
}

/** The promise's outcome, or undefined as soon as the signal aborts. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const giveUp = () => resolve(undefined)
    signal.addEventListener('abort', giveUp, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}
