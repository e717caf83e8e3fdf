import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeRecord } from '../../tests/make-batch.ts'
import { clean, compressedBatch, fill, pairBatch, TestLog } from '../../tests/make-log.ts'
import { hasValidChecksum, rebuildBatch } from '../records/record-batch.ts'
import { diskSegments } from '../storage/disk-segments.ts'
import { memorySegments } from '../storage/memory-file.ts'
import { cleaningNeed } from './cleanable.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-kafka-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe.each([
  ['in memory', () => memorySegments()],
  ['on disk', () => diskSegments(join(folder, 'log'))],
])('cleanLog %s', (_place, store) => {
  it('keeps the last record of each key with its offset, and does not touch the segment being written to', async () => {
    const log = new TestLog(store())
    fill(log)
    await clean(log)
    expect(log.contents()).toEqual(['2:c', '3:a', '4:b', '5:a'])
    expect(log.log.endOffset).toBe(6)
    expect(log.batches().every(({ batch }) => hasValidChecksum(batch))).toBe(true)
    expect(log.cleanedTo).toBe(5)
    expect(log.log.sealed).toHaveLength(1)
  })

  it('goes on where it stopped', async () => {
    const log = new TestLog(store())
    fill(log)
    await clean(log)
    for (const key of ['c', 'd']) log.append(pairBatch([[key, '4']]))
    expect(cleaningNeed(log, 2000).dirty).toHaveLength(2)
    await clean(log)
    expect(log.contents()).toEqual(['4:b', '5:a', '6:c', '7:d'])
    expect(cleaningNeed(log, 2000).isDue).toBe(false)
  })

  it('cleans a log with more keys than fit in several rounds', async () => {
    const log = new TestLog(store())
    for (const key of ['a', 'b', 'c', 'a', 'b', 'c', 'x']) log.append(pairBatch([[key, 'v']]))
    for (let round = 0; round < 3; round += 1) await clean(log, 2000, 2)
    expect(log.contents()).toEqual(['3:a', '4:b', '5:c', '6:x'])
  })

  it('does not bring a deleted key back that it reads in several rounds', async () => {
    const log = new TestLog(store(), 300)
    log.rules = { ...log.rules, deleteRetentionMs: 0 }
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) log.append(pairBatch([[key, '1']]))
    log.append(pairBatch([['a', null]]))
    for (const key of ['g', 'h', 'i']) log.append(pairBatch([[key, '1']]))
    expect(log.log.sealed.map(({ baseOffset }) => baseOffset)).toEqual([0, 4])
    for (let round = 0; round < 9; round += 1) {
      await clean(log, 2000 + round, 1)
      const found = log.contents()
      expect(found.includes('6:a') || !found.includes('0:a'), `${found}`).toBe(true)
    }
    expect(log.contents()).toEqual(['1:b', '2:c', '3:d', '4:e', '5:f', '7:g', '8:h', '9:i'])
  })

  it('does not bring a deleted key back when old segments are dropped meanwhile', async () => {
    const source = store()
    let isDropped = false
    const log: TestLog = new TestLog({
      ...source,
      draft(name) {
        const draft = source.draft(name)
        if (!isDropped) log.log.advanceStart(1)
        isDropped = true
        return draft
      },
    })
    // Two of them are written together.
    log.rules = { ...log.rules, deleteRetentionMs: 0, segmentBytes: 150 }
    log.append(pairBatch([['x', '1']]))
    log.append(pairBatch([['a', '1']]))
    log.append(pairBatch([['y', '1']]))
    log.append(pairBatch([['a', null]]))
    log.append(pairBatch([['z', '1']]))
    await clean(log)
    expect(log.contents()).toEqual(['1:a', '2:y', '3:a', '4:z'])
    expect(cleaningNeed(log, 2000).isDue).toBe(true)
    for (const [key, now] of [
      ['b', 3000],
      ['c', 4000],
    ] as const) {
      await clean(log, now)
      log.append(pairBatch([[key, '1']]))
    }
    expect(log.contents()).toEqual(['2:y', '4:z', '5:b', '6:c'])
  })

  it('keeps a record without value until delete.retention.ms after it was cleaned first', async () => {
    const log = new TestLog(store())
    log.append(
      pairBatch([
        ['a', '1'],
        ['b', '1'],
      ]),
    )
    log.append(pairBatch([['a', null]], { timestamp: 1500 }))
    log.append(pairBatch([['c', '1']]))
    await clean(log, 2000)
    expect(log.contents()).toEqual(['1:b', '2:a', '3:c'])
    const [, deletion] = log.batches()
    expect(deletion?.header).toMatchObject({ hasDeleteHorizon: true, baseTimestamp: 2100, maxTimestamp: 1500 })
    log.append(pairBatch([['d', '1']]))
    await clean(log, 2100)
    expect(log.contents()).toContain('2:a')
    log.append(pairBatch([['e', '1']]))
    await clean(log, 2101)
    expect(log.contents()).toEqual(['1:b', '3:c', '4:d', '5:e'])
  })

  it('removes what was aborted and the commits without records, and keeps the aborts', async () => {
    const log = new TestLog(store())
    log.append(pairBatch([['a', 'committed']], { producerId: 1 }))
    log.endTransaction(1, 'commit')
    log.append(
      pairBatch(
        [
          ['a', 'aborted'],
          ['b', 'aborted'],
        ],
        { producerId: 2 },
      ),
    )
    log.endTransaction(2, 'abort')
    log.append(pairBatch([['x', '1']]))
    await clean(log)
    expect(log.contents()).toEqual(['0:a', '1', '4', '5:x'])
    log.append(pairBatch([['a', 'plain']]))
    log.append(pairBatch([['y', '1']]))
    await clean(log)
    expect(log.contents()).toEqual(['4', '5:x', '6:a', '7:y'])
  })

  it('leaves what is behind an open transaction', async () => {
    const log = new TestLog(store())
    log.append(pairBatch([['a', '1']]))
    log.append(pairBatch([['a', '2']], { producerId: 1 }))
    log.append(pairBatch([['a', '3']]))
    log.append(pairBatch([['a', '4']]))
    await clean(log)
    expect(log.contents()).toEqual(['0:a', '1:a', '2:a', '3:a'])
    log.endTransaction(1, 'abort')
    log.append(pairBatch([['a', '5']]))
    await clean(log)
    expect(log.contents()).toEqual(['3:a', '4', '5:a'])
  })

  it.each(['gzip', 'zstd'] as const)('cleans batches that are compressed with %s', async (codec) => {
    const log = new TestLog(store())
    log.append(
      await compressedBatch(
        [
          ['a', '1'],
          ['b', '1'],
        ],
        codec,
      ),
    )
    log.append(await compressedBatch([['a', '2']], codec))
    log.append(pairBatch([['x', '1']]))
    await clean(log)
    expect(log.contents()).toEqual(['1:b', '2:a', '3:x'])
    expect(log.batches()[0]?.header.compression).toBe(codec)
  })

  it.each([
    ['of an unknown format', Buffer.from('none')],
    ['of garbage', gzipSync('records')],
    ['too short for its record', gzipSync(makeRecord({ length: 100 }))],
    ['with more than its record', gzipSync(Buffer.concat([makeRecord(), makeRecord({ offsetDelta: 1 })]))],
    ['at an offset behind it', gzipSync(makeRecord({ offsetDelta: 1 }))],
    ['at an offset before it', gzipSync(makeRecord({ offsetDelta: -1 }))],
    ['from a time that is none', gzipSync(makeRecord({ timestampDelta: 2 ** 65 }))],
  ])('leaves a batch with compressed records %s', async (_what, records) => {
    const log = new TestLog(store())
    log.append(
      rebuildBatch(pairBatch([['a', '1']]), { records, compression: 'gzip', recordCount: 1, maxTimestamp: 1000 }),
    )
    for (const value of ['2', '3']) log.append(pairBatch([['a', value]]))
    await clean(log)
    expect(log.batches().map(({ header }) => header.baseOffset)).toEqual([0, 1, 2])
  })

  it('removes records without key', async () => {
    const log = new TestLog(store())
    log.append(
      pairBatch([
        [null, '1'],
        ['b', '1'],
      ]),
    )
    log.append(pairBatch([['x', '1']]))
    await clean(log)
    expect(log.contents()).toEqual(['1:b', '2:x'])
  })

  it('reads on behind a segment of which nothing is left', async () => {
    const log = new TestLog(store())
    for (const value of ['1', '2', '3']) log.append(pairBatch([['a', value]]))
    log.rules = { ...log.rules, segmentBytes: 1 }
    await clean(log)
    expect(log.contents()).toEqual(['1:a', '2:a'])
    expect(log.log.sealed.map(({ size }) => size > 0)).toEqual([false, true])
  })

  it('gives up when the log is closed or what it cleans is dropped meanwhile', async () => {
    const log = new TestLog(store())
    fill(log)
    const dropped = clean(log)
    log.log.advanceStart(4)
    await dropped
    expect(log.contents()).toEqual(['4:b', '5:a'])
    log.append(pairBatch([['a', '4']]))
    const closed = clean(log)
    log.closed = true
    await closed
    expect(log.contents()).toEqual(['4:b', '5:a', '6:a'])
  })
})

describe('cleaningNeed', () => {
  it('waits for min.cleanable.dirty.ratio, min.compaction.lag.ms, and at most max.compaction.lag.ms', () => {
    const log = new TestLog(memorySegments())
    fill(log)
    expect(cleaningNeed(log, 2000).ratio).toBe(1)
    log.cleanedTo = 3
    log.rules = { ...log.rules, minDirtyRatio: 0.9 }
    expect(cleaningNeed(log, 2000)).toMatchObject({ isDue: false, nextLook: undefined })
    log.rules = { ...log.rules, maxLagMs: 500 }
    expect(cleaningNeed(log, 1400)).toMatchObject({ isDue: false, nextLook: 1501 })
    expect(cleaningNeed(log, 1501).isDue).toBe(true)
    log.rules = { ...log.rules, minDirtyRatio: 0, minLagMs: 400 }
    expect(cleaningNeed(log, 1400)).toMatchObject({ isDue: false, dirty: [], nextLook: 1401 })
    expect(cleaningNeed(log, 1401).isDue).toBe(true)
  })
})
