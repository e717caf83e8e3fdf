import { ErrorCode } from '../../protocol/error-code.ts'

/** Clients too old to know PRODUCER_FENCED get INVALID_PRODUCER_EPOCH instead, which means the same to them (KIP-588). */
export function fencedAs(errorCode: ErrorCode, { knowsFenced }: { readonly knowsFenced: boolean }): ErrorCode {
  return errorCode === ErrorCode.PRODUCER_FENCED && !knowsFenced ? ErrorCode.INVALID_PRODUCER_EPOCH : errorCode
}
