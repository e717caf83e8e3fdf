import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clean, fill, pairBatch, TestLog } from '../../tests/make-log.ts'
import { diskSegments } from '../storage/disk-segments.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-kafka-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a log that was cleaned on disk', () => {
  /** The folder as it is after each step of a cleaning: what is there when the process is killed then. */
  async function filesAfterEachStep(): Promise<string[]> {
    const source = diskSegments(join(folder, 'log'))
    const copies: string[] = []
    const snapshot = (): void => {
      const copy = join(folder, `copy-${copies.length}`)
      mkdirSync(copy)
      for (const name of readdirSync(join(folder, 'log'))) copyFileSync(join(folder, 'log', name), join(copy, name))
      copies.push(copy)
    }
    const after = <T>(value: T): T => {
      snapshot()
      return value
    }
    const log = new TestLog({
      ...source,
      draft(name) {
        const draft = source.draft(name)
        const { file } = draft
        const halves = (bytes: Buffer): void => {
          file.append(bytes.subarray(0, 70))
          snapshot()
          file.append(bytes.subarray(70))
        }
        return after({
          file: new Proxy(file, {
            get: (target, key) => {
              const value: unknown = key === 'append' ? halves : Reflect.get(target, key, target)
              return typeof value === 'function' ? value.bind(target) : value
            },
          }),
          keep: () => after(draft.keep()),
          drop: () => after(draft.drop()),
        })
      },
      saveCheckpoint: (name, checkpoint) => after(source.saveCheckpoint(name, checkpoint)),
      remove: (name) => after(source.remove(name)),
    })
    fill(log)
    log.append(pairBatch([['z', '1']], { producerId: 7 }))
    log.endTransaction(7, 'commit')
    for (const key of ['z', 'y']) log.append(pairBatch([[key, '2']]))
    await clean(log)
    return copies
  }

  it('is either the old or the new one when the process is killed, and knows its producers', async () => {
    const found = new Set<string>()
    for (const copy of await filesAfterEachStep()) {
      const log = new TestLog(diskSegments(copy))
      if (log.log.endOffset !== 10) continue
      found.add(log.contents().join(' '))
      expect(log.producers.active().map(({ producerId }) => producerId)).toEqual([7])
      const names = readdirSync(copy)
      expect(names.filter((name) => name.endsWith('.draft'))).toEqual([])
      await clean(log)
      expect(log.contents()).toEqual(['2:c', '4:b', '5:a', '8:z', '9:y'])
    }
    expect([...found]).toEqual(['0:a 1:b 2:c 3:a 4:b 5:a 6:z 7 8:z 9:y', '2:c 4:b 5:a 8:z 9:y'])
  })

  it('is read without its checkpoint, too', async () => {
    const path = join(folder, 'log')
    const log = new TestLog(diskSegments(path))
    fill(log)
    await clean(log)
    for (const name of readdirSync(path)) if (name.endsWith('.checkpoint')) rmSync(join(path, name))
    const again = new TestLog(diskSegments(path))
    expect(again.contents()).toEqual(['2:c', '3:a', '4:b', '5:a'])
    expect(again.log.endOffset).toBe(6)
  })
})
