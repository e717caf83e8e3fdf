import { describe, expect, it } from 'vitest'
import { makeBatch } from '../../tests/make-batch.ts'
import { SOLE } from '../cluster/leadership.ts'
import { type BatchHeader, readBatchHeader } from '../records/record-batch.ts'
import { memorySegments } from '../storage/memory-file.ts'
import { Partition } from './partition.ts'
import { Replica } from './replica.ts'
import { StoredBytes } from './stored-bytes.ts'
import { topicRules } from './topic-rules.ts'

function makePartition(): { readonly partition: Partition; readonly added: number[] } {
  const added: number[] = []
  const stored = new StoredBytes({ maxBytes: 1e6, all: () => [] })
  const partition = new Partition({
    index: 0,
    rules: topicRules({}),
    leadership: SOLE,
    isLive: () => true,
    save: () => {},
    onBehind: () => {},
    openReplica: (_nodeId, { log }) =>
      new Replica({
        store: memorySegments(),
        limits: log,
        startOffset: () => 0,
        onExpiry: () => {},
        onRoll: () => {},
        cleanedTo: 0,
        onCleaned: () => {},
        stored: { makeRoomFor: (bytes) => stored.makeRoomFor(bytes), add: (bytes) => added.push(bytes) },
      }),
  })
  return { partition, added }
}

function append(partition: Partition, overrides: Parameters<typeof makeBatch>[0]): void {
  const batch = makeBatch(overrides)
  partition.append(batch, readBatchHeader(batch) as BatchHeader)
}

const TRANSACTIONAL = { producerId: 7, producerEpoch: 0, baseSequence: 0, transactional: true }

describe('Partition', () => {
  it('has its last stable offset not before its start, when the first records of an open transaction are deleted', () => {
    const { partition } = makePartition()
    append(partition, { ...TRANSACTIONAL, recordCount: 5 })
    expect(partition.lastStableOffset).toBe(0)
    partition.advanceStart(3)
    expect([partition.startOffset, partition.lastStableOffset, partition.endOffset]).toEqual([3, 3, 5])
  })

  it('counts all that it stores, markers of transactions included', () => {
    const { partition, added } = makePartition()
    append(partition, TRANSACTIONAL)
    partition.endTransaction({ producerId: 7, producerEpoch: 0, outcome: 'commit', timestamp: 1000 })
    expect(added).toHaveLength(2)
    expect(added.reduce((sum, bytes) => sum + bytes, 0)).toBe(partition.sizeInBytes)
  })
})
