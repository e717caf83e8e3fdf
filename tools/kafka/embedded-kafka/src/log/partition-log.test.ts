import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeBatch } from '../../tests/make-batch.ts'
import { type BatchHeader, placeBatch, readBatchHeader } from '../records/record-batch.ts'
import { diskSegments } from '../storage/disk-segments.ts'
import { memorySegments } from '../storage/memory-file.ts'
import type { DerivedState } from './checkpoint.ts'
import { PartitionLog } from './partition-log.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-kafka-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function appendTo(log: PartitionLog, batch: Buffer): void {
  placeBatch(batch, log.endOffset)
  log.append(batch, readBatchHeader(batch) as BatchHeader)
}

const LIMITS = { segmentBytes: 1000, segmentMs: 1e9, retentionMs: -1, retentionBytes: -1 }

function checkpoints(): string[] {
  const names = readdirSync(join(folder, 'log')).filter((name) => name.endsWith('.checkpoint'))
  return names.map((name) => join(folder, 'log', name))
}

/** Derives the list of base offsets seen; `reported` are those that had to be read from the log. */
function makeDerived(seen: number[] = [], reported: number[] = []): DerivedState {
  return {
    onBatch({ baseOffset }) {
      seen.push(baseOffset)
      reported.push(baseOffset)
    },
    save: () => seen,
    restore: (saved) => seen.splice(0, seen.length, ...(saved as number[])),
  }
}

function openLog(limits = LIMITS, startOffset = 0): { log: PartitionLog; seen: number[]; reported: number[] } {
  const seen: number[] = []
  const store = diskSegments(join(folder, 'log'))
  const reported: number[] = []
  const derived = makeDerived(seen, reported)
  const log = new PartitionLog({ store, limits, startOffset, derived })
  return { log, seen, reported }
}

function everything(log: PartitionLog, fromOffset = log.startOffset): number[] {
  const offsets: number[] = []
  let next = fromOffset
  while (next < log.endOffset) {
    const records = log.read({ fromOffset: next, beforeOffset: log.endOffset, maxBytes: 300, atLeastOne: true })
    let at = 0
    for (let header = readBatchHeader(records, at); header; header = readBatchHeader(records, at)) {
      offsets.push(header.baseOffset)
      next = header.lastOffset + 1
      at += header.size
    }
  }
  return offsets
}

describe('PartitionLog', () => {
  it('is the same after it was opened again, over several segments', () => {
    const { log } = openLog()
    for (let count = 0; count < 100; count += 1) appendTo(log, makeBatch({ bytes: 50, recordCount: 2 }))
    const before = everything(log)
    for (const path of checkpoints()) rmSync(path)
    const { log: again, seen } = openLog()
    expect(before).toEqual(Array.from({ length: 100 }, (_, index) => index * 2))
    expect(everything(again)).toEqual(before)
    expect(seen).toEqual(before)
    expect(again.endOffset).toBe(200)
    appendTo(again, makeBatch())
    expect(everything(again).at(-1)).toBe(200)
  })

  it('reads only what no checkpoint covers when it is opened again', () => {
    const { log, seen } = openLog()
    const write = (target: PartitionLog): void => {
      appendTo(target, makeBatch({ bytes: 50 }))
      seen.push(target.endOffset - 1)
    }
    for (let count = 0; count < 100; count += 1) write(log)
    const killed = openLog()
    expect(killed.seen).toEqual(seen)
    expect(killed.reported.length).toBeGreaterThan(0)
    expect(killed.reported.length).toBeLessThan(10)
    killed.log.close()
    const closed = openLog()
    expect(closed.reported).toEqual([])
    expect(everything(closed.log)).toEqual(seen)
    expect([...closed.log.batchesSince(1000)][0]?.header.baseOffset).toBe(0)
  })

  it('does without checkpoints that are torn or older than their segment', () => {
    const { log } = openLog({ ...LIMITS, segmentBytes: 1e6 })
    for (let count = 0; count < 3; count += 1) appendTo(log, makeBatch())
    log.close()
    appendTo(log, makeBatch())
    expect(everything(openLog().log)).toEqual([0, 1, 2, 3])
    log.close()
    for (const path of checkpoints()) truncateSync(path, 20)
    const { log: again, reported } = openLog()
    expect(reported).toEqual([0, 1, 2, 3])
    expect(everything(again)).toEqual([0, 1, 2, 3])
  })

  it('reads from the middle of a batch by returning that batch, and one larger than the limit alone', () => {
    const log = new PartitionLog({
      store: memorySegments(),
      limits: { ...LIMITS, segmentBytes: 1e9 },
      startOffset: 0,
      derived: makeDerived(),
    })
    for (const bytes of [10, 100_000, 10]) appendTo(log, makeBatch({ bytes, recordCount: 3 }))
    const read = (fromOffset: number, atLeastOne: boolean) =>
      log.read({ fromOffset, beforeOffset: 9, maxBytes: 100, atLeastOne })
    expect(readBatchHeader(read(4, true))).toMatchObject({
      baseOffset: 3,
      size: makeBatch({ bytes: 100_000, recordCount: 3 }).length,
    })
    expect(read(4, true)).toHaveLength(makeBatch({ bytes: 100_000, recordCount: 3 }).length)
    expect(read(4, false)).toHaveLength(0)
    expect(readBatchHeader(read(8, false))?.baseOffset).toBe(6)
  })

  it('does not return what lies at or behind the given end', () => {
    const { log } = openLog({ ...LIMITS, segmentBytes: 1e6 })
    for (let count = 0; count < 5; count += 1) appendTo(log, makeBatch())
    const records = log.read({ fromOffset: 0, beforeOffset: 3, maxBytes: 1e6, atLeastOne: true })
    expect(records).toHaveLength(3 * makeBatch().length)
  })

  it('drops old segments by age, the last one included, and still counts on from there after a restart', () => {
    const limits = { ...LIMITS, retentionMs: 100 }
    const { log } = openLog(limits)
    for (let count = 0; count < 40; count += 1) appendTo(log, makeBatch({ bytes: 100, timestamp: 1000 + count }))
    expect(log.enforceRetention(1120, 40)).toBeGreaterThan(1120)
    expect(log.startOffset).toBeGreaterThan(0)
    expect(log.enforceRetention(2000, 40)).toBeUndefined()
    expect([log.startOffset, log.endOffset]).toEqual([40, 40])
    log.close()
    const { log: again } = openLog(limits)
    expect([again.startOffset, again.endOffset]).toEqual([40, 40])
  })

  it('does not drop what is at or behind the given offset', () => {
    const { log } = openLog({ ...LIMITS, retentionMs: 0 })
    for (let count = 0; count < 40; count += 1) appendTo(log, makeBatch({ bytes: 100 }))
    log.enforceRetention(1e6, 3)
    expect(log.startOffset).toBe(0)
    log.enforceRetention(1e6, 39)
    expect(log.startOffset).toBeLessThanOrEqual(39)
    expect(everything(log).at(-1)).toBe(39)
  })

  it('drops old segments by size', () => {
    const { log } = openLog({ ...LIMITS, retentionBytes: 2000 })
    for (let count = 0; count < 60; count += 1) appendTo(log, makeBatch({ bytes: 100 }))
    log.enforceRetention(0, 60)
    expect(log.sizeInBytes).toBeGreaterThanOrEqual(2000)
    expect(log.sizeInBytes).toBeLessThan(3000)
    expect(everything(log).at(-1)).toBe(59)
  })

  it('begins a segment when a batch is younger than segment.ms, but no file for each of any number', () => {
    const limits = { ...LIMITS, segmentBytes: 1e6, segmentMs: 100 }
    let rolls = 0
    const log = new PartitionLog({
      store: memorySegments(),
      limits,
      startOffset: 0,
      derived: makeDerived(),
      onRoll: () => {
        rolls += 1
      },
    })
    for (const timestamp of [1000, 1050, 1100, 1101, 1150, 1202]) appendTo(log, makeBatch({ timestamp }))
    expect(log.sealed.map(({ baseOffset, nextOffset }) => [baseOffset, nextOffset])).toEqual([
      [0, 3],
      [3, 5],
    ])
    expect(rolls).toBe(2)
    for (let count = 1; count <= 2000; count += 1) appendTo(log, makeBatch({ timestamp: 2000 + count * 200 }))
    expect(log.sealed).toHaveLength(999)
  })

  it('finds batches by time', () => {
    const { log } = openLog()
    for (let count = 0; count < 200; count += 1) appendTo(log, makeBatch({ timestamp: count * 10 }))
    expect([...log.batchesSince(0)][0]?.header.baseOffset).toBe(0)
    expect([...log.batchesSince(995)][0]?.header.baseOffset).toBe(100)
    expect([...log.batchesSince(1990)][0]?.header.baseOffset).toBe(199)
    expect([...log.batchesSince(1991)]).toEqual([])
  })
})
