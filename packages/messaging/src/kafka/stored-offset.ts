const TOPIC_ID = 'topic-id='

/** An offset of a group, and the text that is stored beside it. */
export interface StoredOffset {
  readonly offset: string
  readonly metadata: string | null
}

/** What channels store beside an offset: when the topic was deleted and created again, it is known as one of the topic before. */
export function offsetMetadata(topicId: string | undefined): string | null {
  return topicId === undefined ? null : `${TOPIC_ID}${topicId}`
}

/** Whether an offset was stored for an earlier topic of the same name. Offsets without the id, as other programs store them, are not. */
export function isOfEarlierTopic({ metadata }: StoredOffset, topicId: string | undefined): boolean {
  return topicId !== undefined && metadata?.startsWith(TOPIC_ID) === true && metadata !== offsetMetadata(topicId)
}
