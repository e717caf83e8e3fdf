import type { KafkaJSProtocolError } from '@taproom/kafkajs'

const FENCED = new Set(['INVALID_PRODUCER_EPOCH', 'PRODUCER_FENCED', 'INVALID_PRODUCER_ID_MAPPING'])

/** While a cluster starts or creates a topic: the same request succeeds a moment later. */
const SETTLING = new Set([
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'GROUP_LOAD_IN_PROGRESS',
  'NOT_COORDINATOR_FOR_GROUP',
])

/** About a single record: it is refused every time, others are not. */
const REFUSED_RECORD = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD'])

const NOT_FOUND = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'GROUP_ID_NOT_FOUND'])

/** The broker's answer in a chain of causes; it means that Kafka was reached and refused. */
export function brokerAnswer(error: unknown): KafkaJSProtocolError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    for (const answer of [cause, ...parts(cause)]) if (isProtocolError(answer)) return answer
  }
  return undefined
}

/** The single errors that kafkajs collects when a request is about several groups or topics. */
function parts(error: Error): readonly unknown[] {
  if ('groups' in error && Array.isArray(error.groups)) return error.groups.map((group) => group?.error)
  return 'errors' in error && Array.isArray(error.errors) ? error.errors : []
}

const PROTOCOL_ERRORS = new Set(['KafkaJSProtocolError', 'KafkaJSCreateTopicError', 'KafkaJSOffsetOutOfRange'])

/** By name: other subclasses of KafkaJSProtocolError are answers that kafkajs deals with itself. */
function isProtocolError(error: unknown): error is KafkaJSProtocolError {
  return isAnyAnswer(error) && !SASL_ANSWERS.has(error.type)
}

function isAnyAnswer(error: unknown): error is KafkaJSProtocolError {
  return error instanceof Error && PROTOCOL_ERRORS.has(error.name)
}

/** These refuse the connection, not the request: another connection may succeed. */
const SASL_ANSWERS = new Set(['UNSUPPORTED_SASL_MECHANISM', 'ILLEGAL_SASL_STATE', 'SASL_AUTHENTICATION_FAILED'])

/** The type of the answer that ended the authentication, in a chain of causes. */
export function saslAnswer(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (isAnyAnswer(cause) && SASL_ANSWERS.has(cause.type)) return cause.type
  }
  return undefined
}

/** Kafka refused the request for good: the same request is refused again until something else has changed. */
export function isRefusal(error: unknown): boolean {
  return brokerAnswer(error)?.retriable === false
}

/**
 * kafkajs could not write the record as bytes: the connection is well, and the same call fails again. Its own errors are not meant: they are about
 * the state of the producer.
 */
export function isLocal(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof TypeError || cause instanceof RangeError) return true
  }
  return false
}

/** Kafka will never accept the record: it is too large or invalid. */
export function isRefusedRecord(error: unknown): boolean {
  return REFUSED_RECORD.has(brokerAnswer(error)?.type ?? '')
}

/** Another producer took over the transactional id. */
export function isFenced(error: unknown): boolean {
  return FENCED.has(brokerAnswer(error)?.type ?? '')
}

/** Kafka is not ready for the request yet. */
export function isSettling(error: unknown): boolean {
  return SETTLING.has(brokerAnswer(error)?.type ?? '')
}

/** Another broker leads the partition now: kafkajs' administration asks the same one until its metadata is old. */
export function isElsewhere(error: unknown): boolean {
  return brokerAnswer(error)?.type === 'NOT_LEADER_FOR_PARTITION'
}

/** What is to be read is deleted, or not there yet. */
export function isOutOfRange(error: unknown): boolean {
  return brokerAnswer(error)?.type === 'OFFSET_OUT_OF_RANGE'
}

/** The topic, or the group to be deleted, does not exist. */
export function isNotFound(error: unknown): boolean {
  return NOT_FOUND.has(brokerAnswer(error)?.type ?? '')
}
