import { ErrorCode } from '../../protocol/error-code.ts'
import { failureOf } from '../../protocol/protocol-error.ts'
import type { SessionMember, SharedPartition } from '../../sessions/share-sessions.ts'
import { shareRules } from '../../settings/group-settings.ts'
import type { AcquiredRecords } from '../../shares/acquisition.ts'
import { mapInTurns, Turn } from '../../turn.ts'
import type { RequestContext } from '../definition/api.ts'
import { watchPartitions } from '../fetch/partition-changes.ts'
import { type AvailableBatches, readAvailable, sliceOf } from './read-available.ts'
import { requireShared, type Shared } from './shared-partition.ts'

/** What a member asks for, and how long it waits for it. */
export interface WantedRecords extends SessionMember {
  readonly maxWaitMs: number
  readonly minBytes: number
  readonly maxBytes: number
  readonly maxRecords: number
  readonly batchSize: number
}

export interface PartitionRecords extends SharedPartition {
  readonly errorCode: ErrorCode
  readonly errorMessage: string | null
  /** Whole batches: records between those that were acquired may be others'. */
  readonly records: Buffer
  readonly acquired: readonly AcquiredRecords[]
}

interface Found extends SharedPartition {
  readonly shared?: Shared
  readonly failure?: ReturnType<typeof failureOf>
}

type Read = Found & { readonly batches?: AvailableBatches | undefined }

/** Limits of an answer, and of one partition in it, except for a single larger batch. */
const MAX_RESPONSE_BYTES = 16_777_216
const MAX_PARTITION_BYTES = 1_048_576

function find(partition: SharedPartition, groupId: string, context: RequestContext): Found {
  try {
    return { ...partition, shared: requireShared(context, groupId, partition) }
  } catch (error) {
    return { ...partition, failure: failureOf(error) }
  }
}

async function readAll(found: readonly Found[], wanted: WantedRecords, context: RequestContext) {
  const { broker } = context
  const { isolation } = shareRules(broker.groups.consumers.configs.of(wanted.groupId))
  const limit = Math.min(wanted.maxBytes, MAX_RESPONSE_BYTES)
  const turn = new Turn()
  let bytes = 0
  const reads = await mapInTurns(found, async (each): Promise<Read> => {
    if (!each.shared || wanted.maxRecords <= 0) return each
    const maxBytes = Math.min(limit - bytes, MAX_PARTITION_BYTES)
    const options = { isolation, maxBytes, atLeastOne: bytes === 0, nodeId: broker.nodeId }
    try {
      const batches = await readAvailable(each.shared, options, turn)
      bytes += batches?.records.length ?? 0
      return { ...each, batches }
    } catch (error) {
      return { ...each, failure: failureOf(error) }
    }
  })
  return { reads, bytes }
}

const NOTHING = { errorCode: ErrorCode.NONE, errorMessage: null, records: Buffer.alloc(0), acquired: [] }

/** Between reading and this nothing else happens: a member that is gone must not get anything. */
function acquireAll(reads: readonly Read[], wanted: WantedRecords): readonly PartitionRecords[] {
  let left = wanted.maxRecords
  return reads.map(({ topicId, index, shared, failure, batches }) => {
    if (failure || !shared || !batches || left <= 0) return { topicId, index, ...NOTHING, ...failure }
    const { memberId, batchSize } = wanted
    const acquired = shared.share.acquire({ memberId, batchSize, maxRecords: left, batches: batches.headers })
    left -= acquired.reduce((sum, { firstOffset, lastOffset }) => sum + lastOffset - firstOffset + 1, 0)
    return { topicId, index, ...NOTHING, records: sliceOf(batches, acquired), acquired }
  })
}

/** Reads again after every change until there is enough, something is wrong, the time is up or the client is gone. */
export async function acquireRecords(
  partitions: readonly SharedPartition[],
  wanted: WantedRecords,
  context: RequestContext,
): Promise<readonly PartitionRecords[]> {
  if (partitions.length === 0) return []
  const { signal } = context
  const deadline = performance.now() + wanted.maxWaitMs
  const enough = Math.max(1, Math.min(wanted.minBytes, wanted.maxBytes, MAX_RESPONSE_BYTES))
  for (;;) {
    const found = partitions.map((each) => find(each, wanted.groupId, context))
    const changes = watchPartitions(found.flatMap(({ shared }) => (shared ? [shared.partition, shared.share] : [])))
    try {
      const { reads, bytes } = await readAll(found, wanted, context)
      if (signal.aborted) return []
      const isDone = bytes >= enough || reads.some(({ failure }) => failure) || performance.now() >= deadline
      const acquired = isDone ? acquireAll(reads, wanted) : []
      const hasSome = acquired.some((each) => each.acquired.length > 0 || each.errorCode !== ErrorCode.NONE)
      // Others may have been faster.
      if (isDone && (hasSome || performance.now() >= deadline)) return acquired
      await changes.next(deadline, signal)
      if (signal.aborted) return []
    } finally {
      changes.end()
    }
  }
}
