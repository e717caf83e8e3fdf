import { ErrorCode } from '../protocol/error-code.ts'
import { MAX_ID_CHARACTERS } from '../protocol/limits.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import type { Transaction, TransactionPartition, TransactionPhase } from './transaction.ts'

type OngoingPhase = Extract<TransactionPhase, { readonly kind: 'ongoing' }>
/** An id with an open transaction. */
export type Ongoing = Transaction & { readonly phase: OngoingPhase }

/** As Apache Kafka's transaction.max.timeout.ms. */
const MAX_TIMEOUT_MS = 900_000
/** Groups in one transaction: all of it is written again with each that is added. */
const MAX_GROUPS = 100

/** What is added to a transaction at once. */
export interface Added {
  readonly partitions?: readonly TransactionPartition[]
  readonly group?: string
}

/** Topic names have no slash. */
function keyOf({ topic, partition }: TransactionPartition): string {
  return `${topic}/${partition}`
}

export function includes(partitions: readonly TransactionPartition[], wanted: TransactionPartition): boolean {
  return partitions.some((each) => each.topic === wanted.topic && each.partition === wanted.partition)
}

/** @throws {ProtocolError} when the transactional id or the timeout of a producer is not within the limits */
export function checkInit(id: string, timeoutMs: number): void {
  if (id === '' || id.length > MAX_ID_CHARACTERS) {
    throw new ProtocolError(ErrorCode.INVALID_REQUEST, `a transactional id has 1 to ${MAX_ID_CHARACTERS} characters`)
  }
  if (timeoutMs <= 0 || timeoutMs > MAX_TIMEOUT_MS) {
    const problem = `not within 1 to ${MAX_TIMEOUT_MS} ms: ${timeoutMs}`
    throw new ProtocolError(ErrorCode.INVALID_TRANSACTION_TIMEOUT, problem)
  }
}

export function opened(now: number): OngoingPhase {
  return { kind: 'ongoing', startedAt: now, partitions: [], groups: [] }
}

/**
 * The same phase when it has all of this already.
 * @throws {ProtocolError} POLICY_VIOLATION when there are too many groups
 */
export function extended(current: OngoingPhase, { partitions = [], group }: Added): OngoingPhase {
  const present = new Set(current.partitions.map(keyOf))
  const fresh = [...new Map(partitions.map((each) => [keyOf(each), each]))].flatMap(([key, each]) =>
    present.has(key) ? [] : [each],
  )
  const groups = group === undefined || current.groups.includes(group) ? [] : [group]
  if (fresh.length === 0 && groups.length === 0) return current
  if (current.groups.length + groups.length > MAX_GROUPS || (group?.length ?? 0) > MAX_ID_CHARACTERS) {
    throw new ProtocolError(ErrorCode.POLICY_VIOLATION, `a transaction takes at most ${MAX_GROUPS} groups`)
  }
  return { ...current, partitions: [...current.partitions, ...fresh], groups: [...current.groups, ...groups] }
}
