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
