import { EmbeddedKafkaError } from '../errors.ts'
import { ErrorCode } from './error-code.ts'

/** A refusal that is answered to the client as a code of the protocol. */
export class ProtocolError extends EmbeddedKafkaError {
  override readonly name = 'ProtocolError'
  readonly code = 'EMBEDDED_KAFKA_PROTOCOL'
  readonly errorCode: ErrorCode

  constructor(errorCode: ErrorCode, message: string) {
    super(message)
    this.errorCode = errorCode
  }
}

/** The code a failure is answered with. A failure of the file system is the storage's; anything else is a defect and goes on. */
export function failureOf(error: unknown): { readonly errorCode: ErrorCode; readonly message: string } {
  if (error instanceof ProtocolError) return { errorCode: error.errorCode, message: error.message }
  if (error instanceof Error && 'syscall' in error) {
    return { errorCode: ErrorCode.STORAGE_ERROR, message: 'the log cannot be written or read' }
  }
  throw error
}
