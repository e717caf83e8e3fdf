import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ByteFile } from './byte-file.ts'
import { type Damage, NO_DAMAGE } from './damage.ts'
import { DiskFile } from './disk-file.ts'
import { appendEntry, recoverJournal } from './journal.ts'

/** One change of a table: a new value, or `null` to delete it. */
export interface Change {
  readonly table: string
  readonly id: string
  readonly value: unknown
}

const COMPACT_FROM_BYTES = 1024 * 1024
const ENTRIES_PER_SNAPSHOT_WRITE = 1000

/**
 * The broker's small state (topics, committed offsets, transactions) as tables of JSON values.
 * With a folder every write goes to a journal first; the journal is rewritten when most of it is out of date.
 */
export class StateStore {
  readonly #tables = new Map<string, Map<string, unknown>>()
  readonly #path: string | undefined
  #file: ByteFile | undefined
  #compactAt = COMPACT_FROM_BYTES
  readonly #damage: Damage
  /** Entries were lost: files without an entry may belong to them. */
  #isDamaged = false

  constructor(folder?: string, damage: Damage = NO_DAMAGE) {
    this.#damage = damage
    if (folder === undefined) return
    const path = join(folder, 'state.journal')
    this.#path = path
    rmSync(`${path}.new`, { force: true })
    this.#file = new DiskFile(path)
    const onDamage = (): void => {
      this.#isDamaged = true
      damage.copy(path, 'the journal is damaged, what was readable of it is used')
    }
    const onEntry = (entry: unknown): void => {
      if (isChanges(entry)) this.#apply(entry)
      else damage.report(`${path}: an entry that is no list of changes was left out`)
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

  /** Makes all changes at once: after a kill there are all of them or none. */
  write(changes: readonly Change[]): void {
    if (changes.length === 0) return
    if (this.#file) appendEntry(this.#file, changes)
    this.#apply(changes)
    if (this.#file && this.#file.size >= this.#compactAt) this.#compact()
  }

  #apply(changes: readonly Change[]): void {
    for (const { table, id, value } of changes) {
      if (value === null) this.#tableOf(table).delete(id)
      else this.#tableOf(table).set(id, value)
    }
  }

  #compact(): void {
    if (!this.#file || this.#path === undefined) return
    const fresh = new DiskFile(`${this.#path}.new`)
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
    fresh.seal()
    this.#file.seal()
    renameSync(`${this.#path}.new`, this.#path)
    this.#file = new DiskFile(this.#path)
    this.#compactAt = Math.max(COMPACT_FROM_BYTES, this.#file.size * 2)
  }

  close(): void {
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
