import type { KafkaJSProtocolError } from 'kafkajs'

const FENCED = new Set(['INVALID_PRODUCER_EPOCH', 'PRODUCER_FENCED', 'INVALID_PRODUCER_ID_MAPPING'])

/** Answers of a cluster that has just started or just made a topic: the same request is answered a moment later. */
const SETTLING = new Set([
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'GROUP_LOAD_IN_PROGRESS',
  'NOT_COORDINATOR_FOR_GROUP',
])

/** The broker's own answer somewhere in a chain of causes. */
function brokerAnswer(error: unknown): KafkaJSProtocolError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (isProtocolError(cause)) return cause
  }
  return undefined
}

/** By name: Node cannot import kafkajs's error classes by theirs. */
function isProtocolError(error: Error): error is KafkaJSProtocolError {
  return error.name === 'KafkaJSProtocolError'
}

/** Kafka refused the request for good: sending it again gives the same answer. */
export function isRefusal(error: unknown): boolean {
  return brokerAnswer(error)?.retriable === false
}

/** Another producer took over the transactional id. */
export function isFenced(error: unknown): boolean {
  return FENCED.has(brokerAnswer(error)?.type ?? '')
}

/** Kafka is not ready for the request yet. */
export function isSettling(error: unknown): boolean {
  return SETTLING.has(brokerAnswer(error)?.type ?? '')
}

/** What a request is about is not there: the topic, or the group to be deleted. */
export function isNotFound(error: unknown): boolean {
  if (brokerAnswer(error)?.type === 'UNKNOWN_TOPIC_OR_PARTITION') return true
  const groups = error instanceof Error && 'groups' in error ? error.groups : undefined
  return Array.isArray(groups) && groups.length > 0 && groups.every(isGroupNotFound)
}

const GROUP_ID_NOT_FOUND = 69

function isGroupNotFound(group: { readonly errorCode?: number }): boolean {
  return group.errorCode === GROUP_ID_NOT_FOUND
}
