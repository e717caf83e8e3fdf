import { describe, expect, it } from 'vitest'
import { makeBatch } from '../../tests/make-batch.ts'
import { clean, pairBatch, TestLog } from '../../tests/make-log.ts'
import { type BatchHeader, placeBatch, readBatchHeader } from '../records/record-batch.ts'
import { memorySegments } from '../storage/memory-file.ts'
import type { LogLimits } from './log-limits.ts'
import { PartitionLog } from './partition-log.ts'

const LIMITS: LogLimits = { segmentBytes: 1e6, segmentMs: 1e9, retentionMs: -1, retentionBytes: -1 }

function openLog(limits: Partial<LogLimits>): PartitionLog {
  const derived = { onBatch: () => {}, save: () => ({}), restore: () => {} }
  return new PartitionLog({ store: memorySegments(), limits: { ...LIMITS, ...limits }, startOffset: 0, derived })
}

function append(log: PartitionLog, batch: Buffer): void {
  placeBatch(batch, log.endOffset)
  log.append(batch, readBatchHeader(batch) as BatchHeader)
}

describe('the limits of a log', () => {
  it('do not give each batch a segment of its own, of which there would be any number', () => {
    const log = openLog({ segmentBytes: 1 })
    const bytes = 1000
    for (let count = 0; count < 4000; count += 1) append(log, makeBatch({ bytes }))
    const large = log.sealed.filter(({ size }) => size > 1_000_000)
    expect(large.length).toBeGreaterThan(0)
    expect(log.sealed.length).toBeLessThan(1000 + large.length)
    expect(log.endOffset).toBe(4000)
  })

  it('keep records without time for as long as their file was not written to', () => {
    const log = openLog({ retentionMs: 60_000 })
    const before = Date.now()
    append(log, makeBatch({ timestamp: -1 }))
    const expiry = log.enforceRetention(Date.now(), 1)
    expect(log.startOffset).toBe(0)
    expect(expiry).toBeGreaterThanOrEqual(before + 60_000)
    log.enforceRetention(Date.now() + 60_000, 1)
    expect(log.startOffset).toBe(1)
  })

  it('drop what is behind a segment of which the cleaner has left nothing', async () => {
    const log = new TestLog(memorySegments())
    for (const value of ['1', '2', '3']) log.append(pairBatch([['a', value]]))
    log.rules = { ...log.rules, segmentBytes: 1 }
    await clean(log)
    expect(log.log.sealed.map(({ size }) => size > 0)).toEqual([false, true])
    while (log.log.dropOldest(log.log.endOffset));
    expect([log.log.startOffset, log.log.sizeInBytes]).toEqual([3, 0])
  })
})
