import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type Choose, DiskModel } from './disk-model.ts'
import { type DiskOperation, recordDisk } from './disk-recorder.ts'
import { findingsIn } from './findings.ts'
import { type History, makeHistory, openFolder } from './history.ts'

export interface Setup {
  readonly brokers: number
  readonly isFlushed: boolean
}

export const SETUPS: readonly Setup[] = [
  { brokers: 1, isFlushed: true },
  { brokers: 1, isFlushed: false },
  { brokers: 3, isFlushed: true },
  { brokers: 3, isFlushed: false },
]

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

async function record(folder: string, { brokers, isFlushed }: Setup): Promise<[readonly DiskOperation[], History]> {
  const root = join(folder, 'data')
  using recorder = recordDisk(root)
  const { operations } = recorder
  const history = await makeHistory(root, { brokers, isFlushed, now: () => operations.length })
  return [[...operations], history]
}

/** Cuts the power after one in `every` operations of a history, and gives what is broken in what is left. */
export async function cutPower(
  { brokers, isFlushed }: Setup,
  every: number,
): Promise<{ readonly broken: readonly string[]; readonly cuts: number }> {
  const folder = mkdtempSync(join(PLACE, 'embedded-kafka-'))
  using stack = new DisposableStack()
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const [operations, history] = await record(folder, { brokers, isFlushed })
  const disk = new DiskModel(join(folder, 'data'))
  const broken: string[] = []
  let cuts = 0
  for (const [index, operation] of operations.entries()) {
    disk.apply(operation)
    if (index % every !== 0) continue
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
  return { broken, cuts }
}
