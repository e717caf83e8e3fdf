import { rmSync } from 'node:fs'
import type { ByteFile } from './byte-file.ts'
import { type Damage, NO_DAMAGE } from './damage.ts'
import { DiskFile } from './disk-file.ts'
import { Flushing, type FlushLimits, SELDOM } from './flushing.ts'
import { Folder } from './folder.ts'
import { appendEntry, recoverJournal } from './journal.ts'
import type { WriteFailures } from './write-failures.ts'

/** One change of a table: a new value, or `null` to delete it. */
export interface Change {
  readonly table: string
  readonly id: string
  readonly value: unknown
}

const JOURNAL = 'state.journal'
const COMPACT_FROM_BYTES = 1024 * 1024
const ENTRIES_PER_SNAPSHOT_WRITE = 1000

/**
 * Tables that clients write to all the time: Apache Kafka has them in topics, which are flushed as `log.flush.interval` says. All others
 * are what its controllers keep, which flush each change.
 */
const FREQUENT = new Set([
  'offsets',
  'staged-offsets',
  'transactions',
  'consumer-groups',
  'consumer-group-members',
  'cleaned-offsets',
])

export interface StateStoreOptions {
  readonly damage?: Damage
  /** Default: failed writes are not reported. */
  readonly writes?: WriteFailures | undefined
  /** When changes of what clients change all the time are flushed; default: when the operating system likes. */
  readonly flush?: FlushLimits
}

/**
 * The broker's small state (topics, committed offsets, transactions) as tables of JSON values.
 * With a folder every write goes to a journal first; the journal is rewritten when most of it is out of date.
 */
export class StateStore {
  readonly #tables = new Map<string, Map<string, unknown>>()
  readonly #folder: Folder | undefined
  readonly #flushing: Flushing
  #file: ByteFile | undefined
  #compactAt = COMPACT_FROM_BYTES
  readonly #damage: Damage
  /** Entries were lost: files without an entry may belong to them. */
  #isDamaged = false

  constructor(path?: string, { damage = NO_DAMAGE, writes, flush = SELDOM }: StateStoreOptions = {}) {
    this.#damage = damage
    this.#flushing = new Flushing(flush, () => this.#file?.flush())
    if (path === undefined) return
    const folder = new Folder(path, writes)
    this.#folder = folder
    rmSync(folder.pathOf(`${JOURNAL}.new`), { force: true })
    this.#file = new DiskFile(folder, JOURNAL)
    const onDamage = (): void => {
      this.#isDamaged = true
      damage.copy(folder.pathOf(JOURNAL), 'the journal is damaged, what was readable of it is used')
    }
    const onEntry = (entry: unknown): void => {
      if (isChanges(entry)) this.#apply(entry)
      else damage.report(`${folder.pathOf(JOURNAL)}: an entry that is no list of changes was left out`)
    }
    recoverJournal(this.#file, onEntry, onDamage)
    this.#compact()
  }

  get isDamaged(): boolean {
    return this.#isDamaged
  }

  /** The current values of a table by id, without those that `isValid` rejects, which are reported as damage. */
  checkedTable<T>(name: string, isValid: (id: string, value: unknown) => boolean): ReadonlyMap<string, T> {
    for (const [id, value] of [...this.#tableOf(name)]) {
      if (isValid(id, value)) continue
      this.#isDamaged = true
      this.#damage.report(
        `the entry ${JSON.stringify(id).slice(0, 100)} of the table ${name} makes no sense and was left out`,
      )
      this.#tableOf(name).delete(id)
    }
    return this.table(name)
  }

  /** The current values of one table by id. */
  table<T>(name: string): ReadonlyMap<string, T> {
    return this.#tableOf(name) as ReadonlyMap<string, T>
  }

  #tableOf(name: string): Map<string, unknown> {
    const found = this.#tables.get(name) ?? new Map<string, unknown>()
    this.#tables.set(name, found)
    return found
  }

  /** Makes all changes at once: after a kill or power cut there are all of them or none. */
  write(changes: readonly Change[]): void {
    if (changes.length === 0) return
    if (this.#file) this.#keep(this.#file, changes)
    this.#apply(changes)
    if (this.#file && this.#file.size >= this.#compactAt) this.#compact()
  }

  /** Deletes the rows of all tables but these. */
  clear(kept: readonly string[]): void {
    const gone = [...this.#tables].filter(([table]) => !kept.includes(table))
    this.write(gone.flatMap(([table, rows]) => [...rows.keys()].map((id) => ({ table, id, value: null }))))
  }

  #keep(file: ByteFile, changes: readonly Change[]): void {
    appendEntry(file, changes)
    if (changes.every(({ table }) => FREQUENT.has(table))) this.#flushing.noteWritten(changes.length)
    else this.#flushing.now()
  }

  #apply(changes: readonly Change[]): void {
    for (const { table, id, value } of changes) {
      if (value === null) this.#tableOf(table).delete(id)
      else this.#tableOf(table).set(id, value)
    }
  }

  #compact(): void {
    if (!this.#file || !this.#folder) return
    const fresh = new DiskFile(this.#folder, `${JOURNAL}.new`)
    fresh.append(Buffer.alloc(0))
    let batch: Change[] = []
    for (const [table, rows] of this.#tables) {
      for (const [id, value] of rows) {
        batch.push({ table, id, value })
        if (batch.length === ENTRIES_PER_SNAPSHOT_WRITE) {
          appendEntry(fresh, batch)
          batch = []
        }
      }
    }
    if (batch.length > 0) appendEntry(fresh, batch)
    this.#file.seal()
    fresh.moveTo(JOURNAL)
    this.#flushing.stop()
    this.#file = fresh
    this.#compactAt = Math.max(COMPACT_FROM_BYTES, this.#file.size * 2)
  }

  close(): void {
    this.#flushing.stop()
    this.#file?.seal()
    this.#file = undefined
  }
}

function isChanges(entry: unknown): entry is readonly Change[] {
  return (
    Array.isArray(entry) &&
    entry.every((each: Partial<Change> | null) => typeof each?.table === 'string' && typeof each.id === 'string')
  )
}
