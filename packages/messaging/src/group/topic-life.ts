/** The topic that a group reads: when it is deleted and created again, its id is another (KIP-516) and its offsets begin anew. */
export interface TopicLife {
  /** Undefined where the broker knows no ids (before Kafka 2.8), and where the topic is missing. */
  readonly topicId: string | undefined
  /** How often the topic was created again while the channel was open. All that is in such a topic came after the channel was assigned. */
  readonly recreations: number
}

/** The topics of one channel, over all its consumers. */
export class TopicLives {
  #known: string | undefined
  #recreations = 0

  /** By the id that Kafka says; undefined when it says none. */
  next(topicId: string | undefined): TopicLife {
    if (topicId !== undefined && this.#known !== undefined && topicId !== this.#known) this.#recreations += 1
    this.#known = topicId ?? this.#known
    return { topicId, recreations: this.#recreations }
  }
}
