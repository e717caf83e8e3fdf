import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clean, type Pair, pairBatch, TestLog } from '../../tests/make-log.ts'
import { diskSegments } from '../storage/disk-segments.ts'
import { memorySegments } from '../storage/memory-file.ts'

const STEPS = 120
const KEYS = 12
const PRODUCERS = 3

/** Whole numbers below a limit, the same ones for the same seed. */
function numbersOf(seed: number): (limit: number) => number {
  let count = 0
  return (limit) => {
    count += 1
    return createHash('sha256').update(`${seed} ${count}`).digest().readUInt32BE() % limit
  }
}

interface Written {
  readonly offset: number
  readonly key: string
  readonly isDeletion: boolean
}

/** What was committed, of which nothing is ever removed. */
class Model {
  readonly #committed: Written[] = []
  readonly #open = new Map<number, Written[]>()

  add(records: readonly Written[], producerId: number): void {
    if (producerId < 0) this.#committed.push(...records)
    else this.#open.set(producerId, [...(this.#open.get(producerId) ?? []), ...records])
  }

  isOpen(producerId: number): boolean {
    return this.#open.has(producerId)
  }

  end(producerId: number, outcome: 'commit' | 'abort'): void {
    if (outcome === 'commit') this.#committed.push(...(this.#open.get(producerId) ?? []))
    this.#open.delete(producerId)
  }

  /** By key, the offset of its last record from `startOffset` on, but for deleted keys. */
  lastOffsets(startOffset: number): ReadonlyMap<string, number> {
    const inOrder = [...this.#committed].sort((a, b) => a.offset - b.offset)
    const last = new Map(inOrder.filter(({ offset }) => offset >= startOffset).map((each) => [each.key, each]))
    return new Map([...last.values()].flatMap(({ key, offset, isDeletion }) => (isDeletion ? [] : [[key, offset]])))
  }
}

/** The same of what is in a log, as a reader sees it that reads only what is committed. */
function lastOffsets(log: TestLog): ReadonlyMap<string, number> {
  const last = new Map<string, number>()
  const aborted = log.aborted()
  const openSince = new Map(log.producers.active().map((each) => [each.producerId, each.currentTxnStartOffset]))
  for (const { header, records } of log.records()) {
    const { producerId, baseOffset } = header
    const since = openSince.get(producerId) ?? -1
    const isOpen = since >= 0 && since <= baseOffset
    const isAborted = aborted.some(
      (each) => each.producerId === producerId && each.firstOffset <= baseOffset && baseOffset < each.lastOffset,
    )
    if (isOpen || isAborted) continue
    for (const { key, offsetDelta, hasValue } of records) {
      const offset = baseOffset + offsetDelta
      if (hasValue && offset >= log.log.startOffset) last.set(String(key), offset)
      else last.delete(String(key))
    }
  }
  return last
}

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-kafka-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Does something at random again and again, and compares what readers get. */
async function run(seed: number): Promise<void> {
  const below = numbersOf(seed)
  const isOnDisk = seed % 4 === 0
  const segmentBytes = [1, 300, 1000][seed % 3] ?? 1
  const open = () => new TestLog(isOnDisk ? diskSegments(join(folder, 'log')) : memorySegments(), segmentBytes)
  let log = open()
  const model = new Model()
  let now = 2000

  const append = (): void => {
    const producerId = below(PRODUCERS + 1) - 1
    const pairs = Array.from({ length: 1 + below(5) }, (): Pair => [`k${below(KEYS)}`, below(3) === 0 ? null : 'v'])
    const at = log.log.endOffset
    log.append(pairBatch(pairs, { producerId, timestamp: now }))
    const written = pairs.map(([key, value], index) => ({
      offset: at + index,
      key: String(key),
      isDeletion: value === null,
    }))
    model.add(written, producerId)
  }
  const endTransaction = (): void => {
    const producerId = below(PRODUCERS)
    const outcome = below(3) === 0 ? 'abort' : 'commit'
    if (!model.isOpen(producerId)) return
    log.endTransaction(producerId, outcome)
    model.end(producerId, outcome)
  }
  const cleanAndDrop = async (): Promise<void> => {
    log.rules = { ...log.rules, deleteRetentionMs: below(3) * 5, segmentBytes: 500 + below(2000) }
    const cleaning = clean(log, now, 1 + below(8))
    // Somewhere in the middle of it.
    for (let left = below(60); left > 0; left -= 1) await undefined
    if (below(3) === 0) log.log.advanceStart(Math.min(log.lastStableOffset, log.log.startOffset + below(10)))
    await cleaning
  }
  const reopen = (): void => {
    if (!isOnDisk) return
    const { cleanedTo } = log
    const { startOffset } = log.log
    // Else it is killed.
    if (below(2) === 0) log.log.close()
    log = open()
    log.cleanedTo = cleanedTo
    log.log.advanceStart(startOffset)
  }

  for (let step = 0; step < STEPS; step += 1) {
    const kind = below(20)
    if (kind < 12) append()
    else if (kind < 15) endTransaction()
    else if (kind < 18) await cleanAndDrop()
    else if (kind < 19) now += below(30)
    else reopen()
    if (kind < 15) continue
    expect([...lastOffsets(log)].sort(), `step ${step}`).toEqual([...model.lastOffsets(log.log.startOffset)].sort())
  }
}

describe('cleanLog', () => {
  // Any numbers will do; the larger ones have found deleted keys that came back.
  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 50, 116, 194, 377, 431, 449, 470, 491])(
    'keeps the last committed record of each key, whatever happens (seed %i)',
    run,
  )
})
