import type { Cluster } from '../../src/broker/open-cluster.ts'
import { BATCH_HEADER_BYTES, readBatchHeader } from '../../src/records/record-batch.ts'
import { recordSlices } from '../../src/records/record-slice.ts'
import type { Partition } from '../../src/topics/partition.ts'
import { logged } from '../logged.ts'
import { COMPACTED, GROUP_TOPIC, type History, type WrittenRecord } from './history.ts'

interface FoundRecord {
  readonly offset: number
  readonly key: string
  readonly text: string
}

/** The records of a partition, and those that readers with read_committed see. */
function readAll(partition: Partition): { all: FoundRecord[]; committed: FoundRecord[] } {
  const all: FoundRecord[] = []
  const committed: FoundRecord[] = []
  let fromOffset = partition.startOffset
  for (;;) {
    const isolation = 'read_committed'
    const read = partition.read({ fromOffset, isolation, maxBytes: 1, atLeastOne: true })
    const header = readBatchHeader(read.records)
    if (!header) return { all, committed }
    fromOffset = header.lastOffset + 1
    if (header.isControl) continue
    const records = read.records.subarray(BATCH_HEADER_BYTES)
    const isAborted = read.abortedTransactions.some(
      ({ producerId, firstOffset, lastOffset }) =>
        header.isTransactional &&
        header.producerId === producerId &&
        firstOffset <= header.baseOffset &&
        header.baseOffset < lastOffset,
    )
    for (const { start, end, key, offsetDelta } of recordSlices(records, header.recordCount)) {
      const text = records.subarray(start, end).toString('latin1')
      const found = { offset: header.baseOffset + offsetDelta, key: String(key), text }
      all.push(found)
      if (!isAborted) committed.push(found)
    }
  }
}

function isSame(found: FoundRecord | undefined, { offset, key, text }: WrittenRecord): boolean {
  return found?.offset === offset && found.key === key && found.text.includes(text)
}

/**
 * What is wrong with the data that a power cut after so many operations has left; with `isFlushed` all that was acknowledged has to be there,
 * otherwise of each partition a beginning.
 */
export function findingsIn(
  { brokers: [broker] }: Cluster,
  history: History,
  { at, isFlushed }: { readonly at: number; readonly isFlushed: boolean },
): string[] {
  const findings: string[] = []
  const { topics, groups } = broker
  const seen = new Map<number, number>()
  const places = Map.groupBy(history.records, ({ topic, partition }) => `${topic}/${partition}`)
  for (const [place, written] of places) {
    const [topic = '', index] = place.split('/')
    const partition = topics.find(topic)?.partitions[Number(index)]
    const acknowledged = written.filter((record) => record.at <= at)
    if (!partition) {
      if (acknowledged.length > 0) findings.push(`${place} is gone with ${acknowledged.length} records`)
      continue
    }
    if (partition.lastStableOffset !== partition.endOffset) findings.push(`${place} has a transaction that never ends`)
    const { all, committed } = readAll(partition)
    // Behind it there are markers at most, which end what was open.
    const last = all.at(-1)?.offset ?? -1
    const kept = written.filter(({ offset }) => offset <= last)
    const expected = topic === COMPACTED ? lastOfKeys(kept) : kept
    for (const record of expected) {
      if (!all.some((found) => isSame(found, record)))
        findings.push(`${place} has lost ${record.offset} before its end`)
    }
    for (const found of all) {
      if (!kept.some((record) => isSame(found, record)))
        findings.push(`${place} has ${found.offset}, never written there`)
    }
    if (isFlushed && kept.length < acknowledged.length) {
      findings.push(`${place} has lost the last ${acknowledged.length - kept.length} records`)
    }
    for (const { transaction, offset } of kept) {
      if (transaction === undefined || !committed.some((found) => found.offset === offset)) continue
      seen.set(transaction, (seen.get(transaction) ?? 0) + 1)
    }
  }
  const end = topics.find(GROUP_TOPIC.topic)?.partitions[GROUP_TOPIC.partition]?.endOffset ?? 0
  const committedOffset = (group: string): number =>
    groups.offsets.find(group, GROUP_TOPIC.topic, GROUP_TOPIC.partition)?.offset ?? -1
  for (const [transaction, count] of seen) {
    const outcome = history.ended.get(transaction)?.outcome
    if (outcome !== 'commit') findings.push(`${count} records of the transaction ${transaction} are seen, ${outcome}`)
  }
  for (const [group, commits] of Map.groupBy(history.commits, (commit) => commit.group)) {
    const found = committedOffset(group)
    if (found > end) findings.push(`the offset ${found} of ${group} is behind the end ${end}`)
    const least = commits.findLast((commit) => commit.at <= at)?.offset ?? -1
    if (isFlushed && found < Math.min(least, end)) findings.push(`${group} is at ${found}, ${least} was acknowledged`)
  }
  const inLog = new Map(logged(broker).map(({ group, offset }) => [group, offset]))
  for (const group of groups.offsets.groupIds) {
    const found = committedOffset(group)
    if (inLog.get(group) !== found)
      findings.push(`${group} is at ${found}, in the log for tools at ${inLog.get(group)}`)
  }
  if (isFlushed) findings.push(...halves(history, seen, at))
  const { producerId } = broker.transactions.newProducer()
  const isUsedAgain = topics.partitions.some(({ activeProducers }) =>
    activeProducers.some((each) => each.producerId === producerId),
  )
  if (isUsedAgain) findings.push(`the producer id ${producerId} is given out again`)
  return findings
}

const RECORDS_OF_TRANSACTION = 4

/** Transactions are whole, and those whose commit was acknowledged are there. */
function halves({ ended }: History, seen: ReadonlyMap<number, number>, at: number): string[] {
  return [...ended].flatMap(([transaction, { outcome, at: endedAt }]) => {
    if (outcome === 'abort') return []
    const count = seen.get(transaction) ?? 0
    const isRight = count === RECORDS_OF_TRANSACTION || (count === 0 && endedAt > at)
    return isRight ? [] : [`the transaction ${transaction} has ${count} of ${RECORDS_OF_TRANSACTION} records`]
  })
}

function lastOfKeys(records: readonly WrittenRecord[]): readonly WrittenRecord[] {
  return [...new Map(records.map((record) => [record.key, record])).values()]
}
