/** The topic that one consumer reads: when it is deleted and created again, its id is another (KIP-516) and its offsets begin anew. */
export interface TopicLife {
  /** Undefined where the broker knows no ids (before Kafka 2.8), and as long as the topic is missing. */
  topicId: string | undefined
  /** How often the topic was created again while the channel was open. All that is in such a topic came after the channel was assigned. */
  readonly recreations: number
}

/** The topics of one channel, over all its consumers. */
export class TopicLives {
  #last: TopicLife = { topicId: undefined, recreations: 0 }

  /** For the next consumer, by the id that Kafka says. A topic that is missing for a while keeps its id. */
  next(topicId: string | undefined): TopicLife {
    const { topicId: before, recreations } = this.#last
    const isOther = before !== undefined && topicId !== undefined && topicId !== before
    this.#last = { topicId: topicId ?? before, recreations: recreations + (isOther ? 1 : 0) }
    return this.#last
  }
}
