import { EmbeddedKafkaError } from '../errors.ts'
import type { ErrorCode } from './error-code.ts'

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
