import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { type InFlight, replaced, type Span, within } from './in-flight.ts'

/** What a member says of records that it has acquired. */
export interface Acknowledgement {
  readonly firstOffset: number
  readonly lastOffset: number
  /** One for all of them, or one for each. */
  readonly acknowledgeTypes: readonly number[]
}

/** Accepted or rejected records are done with, as are offsets without a record; released ones go to another member. */
const RELEASE = 2
const HIGHEST_TYPE = 3
/** A partition that falls into more pieces takes no more of them. */
const MAX_PIECES = 10_000

function invalid(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.INVALID_REQUEST, message)
}

function wrongState(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.INVALID_RECORD_STATE, message)
}

/** @throws {ProtocolError} INVALID_REQUEST when they are not in order, or types are missing or unknown */
export function checkAcknowledgements(batches: readonly Acknowledgement[]): void {
  let before = -1
  for (const { firstOffset, lastOffset, acknowledgeTypes: types } of batches) {
    const isOrdered = firstOffset <= lastOffset && firstOffset >= before
    const isCounted = types.length === 1 || types.length === lastOffset - firstOffset + 1
    const isKnown = types.every((type) => type >= 0 && type <= HIGHEST_TYPE)
    if (!isOrdered || !isCounted || !isKnown) throw invalid('The acknowledgement batches are not valid.')
    before = lastOffset
  }
}

/** Records that are given back: to anybody, unless they were delivered as often as they may be. */
export function released(part: InFlight, maxDeliveries: number): InFlight {
  return { ...part, state: { is: part.deliveryCount >= maxDeliveries ? 'done' : 'available' } }
}

function runsOf({ firstOffset, lastOffset, acknowledgeTypes: types }: Acknowledgement): (Span & { type: number })[] {
  if (types.length === 1) return [{ first: firstOffset, last: lastOffset, type: types[0] ?? 0 }]
  const runs: (Span & { type: number })[] = []
  for (const [index, type] of types.entries()) {
    const offset = firstOffset + index
    const run = runs.at(-1)
    if (run?.type === type) runs[runs.length - 1] = { ...run, last: offset }
    else runs.push({ first: offset, last: offset, type })
  }
  return runs
}

interface Acknowledged {
  readonly startOffset: number
  readonly parts: readonly InFlight[]
  readonly memberId: string
  readonly maxDeliveries: number
}

function checkKnown({ firstOffset, lastOffset }: Acknowledgement, { parts, startOffset }: Acknowledged): void {
  const [first] = parts
  const end = parts.at(-1)
  const isBefore = firstOffset >= startOffset && first !== undefined && firstOffset < first.first
  if (!end || isBefore) {
    throw wrongState('Batch record not found. The request batch offsets are not found in the cache.')
  }
  if (firstOffset > end.last) {
    throw invalid('Batch record not found. The first offset in request is past acquired records.')
  }
  if (lastOffset > end.last) {
    throw invalid('Batch record not found. The last offset in request is past acquired records.')
  }
}

function settle(part: InFlight, type: number, { memberId, maxDeliveries }: Acknowledged): InFlight {
  if (part.state.is !== 'acquired') {
    throw wrongState('The batch cannot be acknowledged. The offset is not acquired.')
  }
  if (part.state.memberId !== memberId) throw wrongState('Member is not the owner of batch record')
  return type === RELEASE ? released(part, maxDeliveries) : { ...part, state: { is: 'done' } }
}

/**
 * What is in flight after a member's acknowledgements; offsets before the start are settled already.
 * @throws {ProtocolError} INVALID_RECORD_STATE when it has not acquired one of the records, INVALID_REQUEST when nobody can have
 */
export function acknowledge(given: Acknowledged, batches: readonly Acknowledgement[]): readonly InFlight[] {
  let { parts } = given
  for (const batch of batches) {
    if (batch.lastOffset < given.startOffset) continue
    checkKnown(batch, { ...given, parts })
    const changes = runsOf(batch).flatMap(({ first, last, type }) => {
      const span = { first: Math.max(first, given.startOffset), last }
      return span.first > last ? [] : within(parts, span).map((part) => settle(part, type, given))
    })
    parts = replaced(parts, changes)
  }
  if (parts.length > MAX_PIECES) throw invalid(`at most ${MAX_PIECES} pieces of a partition are acknowledged apart`)
  return parts
}
