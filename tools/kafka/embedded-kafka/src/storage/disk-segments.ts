import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { SegmentStore } from './byte-file.ts'
import { type Damage, NO_DAMAGE } from './damage.ts'
import { DiskFile } from './disk-file.ts'
import { Folder } from './folder.ts'
import { appendEntry, recoverJournal } from './journal.ts'
import { currentSegments, fileNameOf, type SegmentName, segmentNameOf } from './segment-name.ts'
import type { WriteFailures } from './write-failures.ts'

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

export interface DiskSegmentsOptions {
  readonly damage?: Damage
  /** Default: failed writes are not reported. */
  readonly writes?: WriteFailures | undefined
  /** The power may have failed: the bytes of a segment may be others than when its checkpoint was saved. */
  readonly isAfterPowerCut?: boolean
}

/** The segments of one partition as files in one folder. */
export function diskSegments(path: string, options: DiskSegmentsOptions = {}): SegmentStore {
  const { damage = NO_DAMAGE, isAfterPowerCut = false } = options
  const folder = new Folder(path, options.writes)
  /** Checkpoints of now. */
  const saved = new Set<string>()
  const nameOf = (name: SegmentName, suffix: string): string => fileNameOf(name) + suffix
  const pathOf = (name: SegmentName, suffix: string): string => folder.pathOf(nameOf(name, suffix))
  return {
    list: () => findSegments(path),
    open: (name) => new DiskFile(folder, nameOf(name, LOG)),
    draft(name) {
      rmSync(pathOf(name, DRAFT), { force: true })
      const file = new DiskFile(folder, nameOf(name, DRAFT))
      // A segment of which nothing is left is a file, too.
      file.append(Buffer.alloc(0))
      return {
        file,
        keep: () => file.moveTo(nameOf(name, LOG)),
        drop() {
          file.seal()
          rmSync(pathOf(name, DRAFT), { force: true })
        },
      }
    },
    saveCheckpoint(name, checkpoint, { isFlushed } = { isFlushed: false }) {
      const file = new DiskFile(folder, nameOf(name, CHECKPOINT))
      file.truncate(0)
      appendEntry(file, checkpoint)
      if (isFlushed) file.flush()
      file.seal()
      saved.add(nameOf(name, CHECKPOINT))
    },
    loadCheckpoint(name) {
      // A segment of the cleaner was flushed, and its checkpoint knows of records that are gone.
      const isDoubtful = isAfterPowerCut && name.endOffset === undefined && !saved.has(nameOf(name, CHECKPOINT))
      if (isDoubtful) return undefined
      let found: unknown
      const file = new DiskFile(folder, nameOf(name, CHECKPOINT))
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
      saved.delete(nameOf(name, CHECKPOINT))
    },
    removeAll: () => rmSync(path, { recursive: true, force: true }),
  }
}
