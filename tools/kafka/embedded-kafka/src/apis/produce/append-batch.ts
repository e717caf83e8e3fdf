import { ErrorCode } from '../../protocol/error-code.ts'
import { failureOf, laterOutcomeOf, outcomeOf, ProtocolError } from '../../protocol/protocol-error.ts'
import { checkBatch } from '../../records/check-batch.ts'
import { recompress } from '../../records/recompress.ts'
import { type BatchHeader, readBatchHeader, stampBatch } from '../../records/record-batch.ts'
import { internalTopicRefused, isInternalTopic } from '../../topics/internal-topics.ts'
import { type TopicRules, topicRules } from '../../topics/topic-rules.ts'
import type { RequestContext } from '../definition/api.ts'
import { fencedAs } from '../producer-transactions/fenced-as.ts'

/** The first version whose clients know Zstandard (KIP-110). */
const FIRST_ZSTD_VERSION = 7

/** Since these versions clients know TRANSACTION_ABORTABLE, and do not announce partitions before (KIP-890). */
const ABORTABLE_VERSION = 11
const IMPLICIT_VERSION = 12

export interface Target {
  readonly name: string
  readonly index: number
  readonly records: Buffer | null
  readonly acks: number
  readonly transactionalId: string | null
}

/** The header of a batch that can be appended, if the rest of its request is right, too. */
function check(
  { name, index, records, acks }: Target,
  rules: TopicRules,
  { broker, version, faults }: RequestContext,
): BatchHeader {
  if (acks < -1 || acks > 1)
    throw new ProtocolError(ErrorCode.INVALID_REQUIRED_ACKS, `acks must be -1, 0 or 1: ${acks}`)
  if (isInternalTopic(name)) throw internalTopicRefused()
  // An unknown partition comes before anything that is wrong with the batch.
  broker.leading(name, index)
  faults?.check(name, index)
  const header = checkBatch(records, {
    maxBytes: rules.maxMessageBytes,
    now: broker.now(),
    isCompacted: rules.isCompacted,
    // Times that the broker replaces may be any.
    beforeMaxMs: rules.hasAppendTime ? Number.MAX_SAFE_INTEGER : rules.beforeMaxMs,
    afterMaxMs: rules.hasAppendTime ? Number.MAX_SAFE_INTEGER : rules.afterMaxMs,
  })
  if (header.compression === 'zstd' && version < FIRST_ZSTD_VERSION) {
    throw new ProtocolError(ErrorCode.UNSUPPORTED_COMPRESSION_TYPE, `zstd needs version ${FIRST_ZSTD_VERSION}`)
  }
  return header
}

/** Has the transaction of these records open, with this partition in it. */
function enterTransaction(
  { name, index, transactionalId }: Target,
  header: BatchHeader,
  context: RequestContext,
): void {
  const { version, broker } = context
  if (transactionalId === null) throw new ProtocolError(ErrorCode.INVALID_TXN_STATE, 'no transactional id')
  const partition = { topic: name, partition: index }
  try {
    if (version < IMPLICIT_VERSION) broker.transactions.checkWrite(transactionalId, header, partition)
    else broker.transactions.add(transactionalId, header, { partitions: [partition] })
  } catch (error) {
    const { errorCode, errorMessage } = failureOf(error)
    const isAbortable = errorCode === ErrorCode.INVALID_TXN_STATE && version >= ABORTABLE_VERSION
    throw new ProtocolError(
      isAbortable ? ErrorCode.TRANSACTION_ABORTABLE : fencedAs(errorCode, { knowsFenced: false }),
      errorMessage,
    )
  }
}

function append(target: Target, batch: Buffer, header: BatchHeader, context: RequestContext) {
  const { name, index, acks } = target
  const { broker } = context
  const partition = broker.leading(name, index)
  if (header.isTransactional) enterTransaction(target, header, context)
  const hasAppendTime = broker.topics.find(name)?.rules.hasAppendTime === true
  if (hasAppendTime) stampBatch(batch, broker.now())
  const { baseOffset, maxTimestamp } = partition.append(batch, header, acks)
  return { baseOffset, logAppendTimeMs: hasAppendTime ? maxTimestamp : -1, logStartOffset: partition.startOffset }
}

/** Appends the batch of one partition: at once, or later where the topic has a compression of its own. */
export function appendBatch(target: Target, context: RequestContext) {
  const { index } = target
  const rules = context.broker.topics.find(target.name)?.rules ?? DEFAULT_RULES
  const records = target.records ?? Buffer.alloc(0)
  const { compression, maxMessageBytes: maxBytes } = rules
  const nothing = { index, ...NOT_APPENDED }
  if (!compression) {
    return outcomeOf(() => ({ index, ...append(target, records, check(target, rules, context), context) }), nothing)
  }
  return laterOutcomeOf(async () => {
    const header = check(target, rules, context)
    const batch = await recompress(records, header, { ...compression, maxBytes })
    return { index, ...append(target, batch, readBatchHeader(batch) ?? header, context) }
  }, nothing)
}

const DEFAULT_RULES = topicRules({})
export const NOT_APPENDED = { baseOffset: -1, logAppendTimeMs: -1, logStartOffset: -1 }
