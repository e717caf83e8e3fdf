import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { SegmentStore } from './byte-file.ts'
import { type Damage, NO_DAMAGE } from './damage.ts'
import { DiskFile } from './disk-file.ts'
import { appendEntry, recoverJournal } from './journal.ts'
import { currentSegments, fileNameOf, type SegmentName, segmentNameOf } from './segment-name.ts'

const LOG = '.log'
const CHECKPOINT = '.checkpoint'
/** A log that is being written; what a kill leaves of it is removed. */
const DRAFT = '.draft'

function namesIn(folder: string, suffix: string): readonly SegmentName[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(suffix))
  return names.flatMap((name) => segmentNameOf(name.slice(0, -suffix.length)) ?? [])
}

/** The segments in use. Removes what a kill has left of others. */
function findSegments(folder: string): readonly SegmentName[] {
  const remove = (name: SegmentName, suffix: string) => rmSync(join(folder, fileNameOf(name) + suffix), { force: true })
  const { current, replaced } = currentSegments(namesIn(folder, LOG))
  for (const name of replaced) remove(name, LOG)
  for (const name of namesIn(folder, DRAFT)) remove(name, DRAFT)
  const used = new Set(current.map(fileNameOf))
  for (const name of namesIn(folder, CHECKPOINT)) if (!used.has(fileNameOf(name))) remove(name, CHECKPOINT)
  return current
}

/** The segments of one partition as files in one folder. */
export function diskSegments(folder: string, damage: Damage = NO_DAMAGE): SegmentStore {
  mkdirSync(folder, { recursive: true })
  const pathOf = (name: SegmentName, suffix: string): string => join(folder, fileNameOf(name) + suffix)
  return {
    list: () => findSegments(folder),
    open: (name) => new DiskFile(pathOf(name, LOG)),
    draft(name) {
      const path = pathOf(name, DRAFT)
      rmSync(path, { force: true })
      const file = new DiskFile(path)
      // A segment of which nothing is left is a file, too.
      file.append(Buffer.alloc(0))
      return {
        file,
        keep: () => file.moveTo(pathOf(name, LOG)),
        drop() {
          file.seal()
          rmSync(path, { force: true })
        },
      }
    },
    saveCheckpoint(name, checkpoint) {
      const file = new DiskFile(pathOf(name, CHECKPOINT))
      file.truncate(0)
      appendEntry(file, checkpoint)
      file.seal()
    },
    loadCheckpoint(name) {
      let found: unknown
      const file = new DiskFile(pathOf(name, CHECKPOINT))
      recoverJournal(file, (entry) => {
        found = entry
      })
      file.seal()
      return found
    },
    setAside: (name) => damage.copy(pathOf(name, LOG), 'a part of the log is damaged, what comes before it is used'),
    remove(name) {
      rmSync(pathOf(name, LOG), { force: true })
      rmSync(pathOf(name, CHECKPOINT), { force: true })
    },
    removeAll: () => rmSync(folder, { recursive: true, force: true }),
  }
}
