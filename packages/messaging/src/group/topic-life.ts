/** The topic that one consumer reads: when it is deleted and created again, its id is another (KIP-516) and its offsets begin anew. */
export interface TopicLife {
  /** Undefined where the broker knows no ids (before Kafka 2.8), or the topic is missing. */
  readonly topicId: string | undefined
  /** The topic was created again while the channel was open: all of it came after the channel was assigned. */
  readonly isRecreated: boolean
}

/** Of one channel, over all its consumers. */
export class TopicLives {
  #topicId: string | undefined
  #isRecreated = false

  /** Notes the id that Kafka says. A topic that is missing for a while keeps its id. */
  next(topicId: string | undefined): TopicLife {
    if (topicId !== undefined) {
      if (this.#topicId !== undefined && topicId !== this.#topicId) this.#isRecreated = true
      this.#topicId = topicId
    }
    return { topicId: this.#topicId, isRecreated: this.#isRecreated }
  }
}
