import { EmbeddedKafkaError } from '../errors.ts'
import { ErrorCode } from './error-code.ts'

/** A message may quote the client's text, and must fit into an answer. */
const MAX_MESSAGE_CHARACTERS = 300

/** A refusal: the client is answered with this code. */
export class ProtocolError extends EmbeddedKafkaError {
  override readonly name = 'ProtocolError'
  readonly code = 'EMBEDDED_KAFKA_PROTOCOL'
  readonly errorCode: ErrorCode

  constructor(errorCode: ErrorCode, message: string) {
    super(message.slice(0, MAX_MESSAGE_CHARACTERS))
    this.errorCode = errorCode
  }
}

/** The code and message that answer a failure. File system errors become KAFKA_STORAGE_ERROR; anything else is a defect and is thrown again. */
export function failureOf(error: unknown): { readonly errorCode: ErrorCode; readonly errorMessage: string } {
  if (error instanceof ProtocolError) return { errorCode: error.errorCode, errorMessage: error.message }
  if (error instanceof Error && 'syscall' in error) {
    return { errorCode: ErrorCode.KAFKA_STORAGE_ERROR, errorMessage: 'the log cannot be written or read' }
  }
  throw error
}

/** Code and message of the answer, and the result of the work or else its replacement. */
export function outcomeOf<Found extends object, Nothing extends object>(work: () => Found, nothing: Nothing) {
  try {
    return { errorCode: ErrorCode.NONE, errorMessage: null, ...work() }
  } catch (error) {
    return { ...nothing, ...failureOf(error) }
  }
}

/** Like {@link outcomeOf}, for work that takes a while. */
export async function laterOutcomeOf<Found extends object, Nothing extends object>(
  work: () => Promise<Found>,
  nothing: Nothing,
) {
  try {
    return { errorCode: ErrorCode.NONE, errorMessage: null, ...(await work()) }
  } catch (error) {
    return { ...nothing, ...failureOf(error) }
  }
}

/** Like {@link outcomeOf}, for an action without a result. */
export function actionOutcome(action: () => void) {
  return outcomeOf(() => {
    action()
    return {}
  }, {})
}

/** Runs an action whose answer is only a code. */
export function codeOf(action: () => void): ErrorCode {
  return actionOutcome(action).errorCode
}
