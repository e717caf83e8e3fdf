const TOPIC_ID = 'topic-id='

/** An offset of a group, and the text that is stored beside it. */
export interface StoredOffset {
  readonly offset: string
  readonly metadata: string | null
}

/** The metadata that channels store beside an offset: the topic id shows later whether the offset belongs to an earlier topic. */
export function offsetMetadata(topicId: string | undefined): string | null {
  return topicId === undefined ? null : `${TOPIC_ID}${topicId}`
}

/** True for an offset of an earlier topic with the same name. Offsets without topic id, as other programs store them, are trusted. */
export function isOfEarlierTopic({ metadata }: StoredOffset, topicId: string | undefined): boolean {
  return topicId !== undefined && metadata?.startsWith(TOPIC_ID) === true && metadata !== offsetMetadata(topicId)
}
