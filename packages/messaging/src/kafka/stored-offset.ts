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

/**
 * Where a group begins to read a partition: at its stored offset, or else at the end or the begin of the log. A topic that was created
 * again is read from its begin: the group was there before it.
 */
export function beginOf(
  stored: StoredOffset | undefined,
  from: 'latest' | 'earliest',
  { topicId, recreations }: { readonly topicId: string | undefined; readonly recreations: number },
): 'stored' | 'end' | 'begin' {
  const isEarlier = stored !== undefined && isOfEarlierTopic(stored, topicId)
  if (stored !== undefined && !isEarlier) return 'stored'
  return from === 'latest' && recreations === 0 && !isEarlier ? 'end' : 'begin'
}

/** Offsets without topic id, as other programs store them, are trusted. */
function isOfEarlierTopic({ metadata }: StoredOffset, topicId: string | undefined): boolean {
  return topicId !== undefined && metadata?.startsWith(TOPIC_ID) === true && metadata !== offsetMetadata(topicId)
}
