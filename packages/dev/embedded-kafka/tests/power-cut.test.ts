import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Choose, DiskModel } from './power-cut/disk-model.ts'
import { type DiskOperation, recordDisk } from './power-cut/disk-recorder.ts'
import { findingsIn } from './power-cut/findings.ts'
import { type History, makeHistory, openFolder } from './power-cut/history.ts'

/** Numbers from 0 to 1, the same ones for the same seed (Mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** What a power cut may leave of what was not flushed: nothing, everything, or of each file another beginning. */
function choices(seed: number): readonly { readonly name: string; readonly choose: Choose }[] {
  const random = randomOf(seed)
  const any: Choose = (count) => {
    const kind = random()
    if (kind < 0.3) return 0
    if (kind < 0.6) return count
    return random() < 0.5 ? Math.floor(random() * (count + 1)) : Math.floor(random() * count) + 0.5
  }
  return [
    { name: 'nothing', choose: () => 0 },
    { name: 'everything', choose: (count) => count },
    { name: `some (${seed})`, choose: any },
  ]
}

/** In memory where that can be had: what a cut leaves is decided by the model, and a thousand real flushes take a minute. */
const PLACE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(PLACE, 'embedded-kafka-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function record(brokers: number, isFlushed: boolean): Promise<[readonly DiskOperation[], History]> {
  const root = join(folder, 'data')
  using recorder = recordDisk(root)
  const { operations } = recorder
  const history = await makeHistory(root, { brokers, isFlushed, now: () => operations.length })
  return [[...operations], history]
}

/** With `EVERY_CUT` after each operation, otherwise after one in so many. */
function stepFor(brokers: number): number {
  if (process.env['EVERY_CUT']) return 1
  return brokers === 1 ? 7 : 43
}

describe('decisions 3.91: a power cut', () => {
  it.each([
    { brokers: 1, isFlushed: true },
    { brokers: 1, isFlushed: false },
    { brokers: 3, isFlushed: true },
    { brokers: 3, isFlushed: false },
  ])(
    'at any moment leaves data that is whole: $brokers brokers, flushed: $isFlushed',
    async ({ brokers, isFlushed }) => {
      const [operations, history] = await record(brokers, isFlushed)
      const disk = new DiskModel(join(folder, 'data'))
      const broken: string[] = []
      let cuts = 0
      const step = stepFor(brokers)
      for (const [index, operation] of operations.entries()) {
        disk.apply(operation)
        if (index % step !== 0) continue
        await setImmediate()
        for (const { name, choose } of choices(index)) {
          const rest = join(folder, 'rest')
          disk.writeSurvivors(rest, choose)
          // Of this process, which lives; that of another boot does not.
          rmSync(join(rest, 'lock'), { force: true })
          const damage: string[] = []
          const where = `after ${index + 1} of ${operations.length}, ${name}`
          try {
            const cluster = openFolder(rest, { brokers, isFlushed, boot: 'second', onDamage: (it) => damage.push(it) })
            const found = findingsIn(cluster, history, { at: index + 1, isFlushed })
            cluster.close()
            broken.push(...found.map((finding) => `${where}: ${finding}`))
            if (isFlushed) broken.push(...damage.map((each) => `${where}: ${each}`))
          } catch (error) {
            broken.push(`${where}: ${error instanceof Error ? error.stack : error}`)
          }
          rmSync(rest, { recursive: true, force: true })
          cuts += 1
        }
      }
      expect(broken.slice(0, 20)).toEqual([])
      expect(cuts).toBeGreaterThan(50)
    },
    process.env['EVERY_CUT'] ? 3_600_000 : 600_000,
  )
})
