import type { KafkaJSProtocolError } from '@taproom/kafkajs'

/** The broker's answer in a chain of causes; it means that Kafka was reached and refused. */
export function brokerAnswer(error: unknown): KafkaJSProtocolError | undefined {
  const isOfRequest = (answer: unknown) => isAnswer(answer) && !SASL_ANSWERS.has(answer.type)
  return causesOf(error)
    .flatMap((cause) => [cause, ...parts(cause)])
    .find((answer): answer is KafkaJSProtocolError => isOfRequest(answer))
}

/** An error and its causes. */
export function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = []
  for (let cause = error; cause instanceof Error && !causes.includes(cause); cause = cause.cause) causes.push(cause)
  return causes
}

/** The single errors that kafkajs collects when a request is about several groups or topics. */
function parts(error: Error): readonly unknown[] {
  if ('groups' in error && Array.isArray(error.groups)) return error.groups.map((group) => group?.error)
  return 'errors' in error && Array.isArray(error.errors) ? error.errors : []
}

const PROTOCOL_ERRORS = new Set(['KafkaJSProtocolError', 'KafkaJSCreateTopicError', 'KafkaJSOffsetOutOfRange'])

/** By name: other subclasses of KafkaJSProtocolError are answers that kafkajs deals with itself. */
function isAnswer(error: unknown): error is KafkaJSProtocolError {
  return error instanceof Error && PROTOCOL_ERRORS.has(error.name)
}

/** These refuse the connection, not the request: another connection may succeed. */
const SASL_ANSWERS = new Set(['UNSUPPORTED_SASL_MECHANISM', 'ILLEGAL_SASL_STATE', 'SASL_AUTHENTICATION_FAILED'])

/** The type of the answer that ended the authentication, in a chain of causes. */
export function saslAnswer(error: unknown): string | undefined {
  return causesOf(error)
    .filter(isAnswer)
    .find(({ type }) => SASL_ANSWERS.has(type))?.type
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
  return causesOf(error).some((cause) => cause instanceof TypeError || cause instanceof RangeError)
}

function hasAnswer(...types: readonly string[]): (error: unknown) => boolean {
  return (error) => types.includes(brokerAnswer(error)?.type ?? '')
}

/** Kafka will never accept the record: it is too large or invalid. It accepts others. */
export const isRefusedRecord = hasAnswer('MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD')

/** Another producer took over the transactional id. */
export const isFenced = hasAnswer('INVALID_PRODUCER_EPOCH', 'PRODUCER_FENCED', 'INVALID_PRODUCER_ID_MAPPING')

/** Kafka is not ready for the request yet: a cluster starts or creates a topic, and the same request succeeds a moment later. */
export const isSettling = hasAnswer(
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'GROUP_LOAD_IN_PROGRESS',
  'NOT_COORDINATOR_FOR_GROUP',
)

/** Another broker leads the partition now: kafkajs' administration asks the same one until its metadata is old. */
export const isElsewhere = hasAnswer('NOT_LEADER_FOR_PARTITION')

/** What is to be read is deleted, or not there yet. */
export const isOutOfRange = hasAnswer('OFFSET_OUT_OF_RANGE')

/** The topic, or the group to be deleted, does not exist. */
export const isNotFound = hasAnswer('UNKNOWN_TOPIC_OR_PARTITION', 'GROUP_ID_NOT_FOUND')
