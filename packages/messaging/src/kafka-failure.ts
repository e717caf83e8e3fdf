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

const NOT_FOUND = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'GROUP_ID_NOT_FOUND'])

/** The broker's own answer somewhere in a chain of causes: it was reached, and said no. */
export function brokerAnswer(error: unknown): KafkaJSProtocolError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    for (const answer of [cause, ...parts(cause)]) if (isProtocolError(answer)) return answer
  }
  return undefined
}

/** What kafkajs puts together when it asks about several groups or topics at once. */
function parts(error: Error): readonly unknown[] {
  if ('groups' in error && Array.isArray(error.groups)) return error.groups.map((group) => group?.error)
  return 'errors' in error && Array.isArray(error.errors) ? error.errors : []
}

const PROTOCOL_ERRORS = new Set(['KafkaJSProtocolError', 'KafkaJSCreateTopicError'])

/** By name: Node cannot import kafkajs's error classes by theirs. */
function isProtocolError(error: unknown): error is KafkaJSProtocolError {
  return error instanceof Error && PROTOCOL_ERRORS.has(error.name)
}

/** Kafka refused the request for good: sending it again gives the same answer, until something else has changed. */
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
  return NOT_FOUND.has(brokerAnswer(error)?.type ?? '')
}
