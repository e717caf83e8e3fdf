import { ErrorCode } from '../../protocol/error-code.ts'
import { MAX_ID_CHARACTERS } from '../../protocol/limits.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'
import type { Assignment } from '../assignors/assignment.ts'

/** The fields that heartbeats of both protocols have; null has not changed since the last one. */
export interface ModernHeartbeat {
  readonly groupId: string
  readonly memberId: string
  readonly memberEpoch: number
  readonly rackId: string | null
  readonly subscribedTopicNames: readonly string[] | null
}

export interface HeartbeatAnswer {
  readonly memberId: string
  readonly memberEpoch: number
  readonly heartbeatIntervalMs: number
  /** Null when it is as the member knows it. */
  readonly assignment: Assignment | null
}

/** They are kept with the member. */
const MAX_SUBSCRIPTION_CHARACTERS = 65_536
const MAX_SUBSCRIPTION_NAMES = 2000

export function invalid(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.INVALID_REQUEST, message)
}

/** @throws {ProtocolError} INVALID_REQUEST when an id or the names together are too long to be kept */
export function checkSizes(ids: readonly string[], names: readonly string[]): void {
  const characters = names.reduce((sum, { length }) => sum + length, 0)
  const isLarge = characters > MAX_SUBSCRIPTION_CHARACTERS || names.length > MAX_SUBSCRIPTION_NAMES
  if (isLarge || ids.some(({ length }) => length > MAX_ID_CHARACTERS)) {
    throw invalid('An id or the subscription is too long.')
  }
}
