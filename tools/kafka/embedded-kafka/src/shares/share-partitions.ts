import type { Clock } from '../clock.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import type { ShareRules } from '../settings/group-settings.ts'
import type { StateStore } from '../storage/state-store.ts'
import { cutAt, isSavedPartition, reachesBehind, type SavedPartition, UNINITIALIZED } from './saved-partition.ts'
import { SharePartition } from './share-partition.ts'

const TABLE = 'share-partitions'
/** In all groups together. */
const MAX_PARTITIONS = 100_000

export interface PartitionKey {
  readonly groupId: string
  readonly topicId: string
  readonly index: number
}

export interface SharePartitionsOptions {
  readonly state: StateStore
  readonly clock: Clock
  readonly rulesOf: (groupId: string) => ShareRules
}

function rowOf({ groupId, topicId, index }: PartitionKey): string {
  return JSON.stringify([groupId, topicId, index])
}

function keyOf(row: string): PartitionKey | undefined {
  try {
    const [groupId, topicId, index] = JSON.parse(row) as readonly unknown[]
    const isKey = typeof groupId === 'string' && typeof topicId === 'string' && Number.isSafeInteger(index)
    return isKey ? { groupId, topicId, index: index as number } : undefined
  } catch {
    // Not what this broker writes.
    return undefined
  }
}

/** Where all share groups are in the partitions that they read. Every acknowledgement is durable. */
export class SharePartitions {
  readonly #options: SharePartitionsOptions
  readonly #saved: ReadonlyMap<string, SavedPartition>
  /** Of each group, its rows by topic and partition. */
  readonly #keys = new Map<string, Map<string, PartitionKey>>()
  readonly #open = new Map<string, SharePartition>()

  constructor(options: SharePartitionsOptions) {
    this.#options = options
    const isValid = (row: string, value: unknown): boolean => keyOf(row) !== undefined && isSavedPartition(value)
    this.#saved = options.state.checkedTable<SavedPartition>(TABLE, isValid)
    for (const row of this.#saved.keys()) {
      const key = keyOf(row)
      if (key) this.#note(key)
    }
  }

  #note(key: PartitionKey): void {
    const own = this.#keys.get(key.groupId) ?? new Map<string, PartitionKey>()
    this.#keys.set(key.groupId, own)
    own.set(rowOf(key), key)
  }

  #write(changes: readonly { readonly key: PartitionKey; readonly value: SavedPartition | null }[]): void {
    this.#options.state.write(changes.map(({ key, value }) => ({ table: TABLE, id: rowOf(key), value })))
  }

  /** The partitions of a group, whether it has read them yet or not. */
  of(groupId: string): readonly PartitionKey[] {
    return [...(this.#keys.get(groupId)?.values() ?? [])]
  }

  /** Where a group is, as it was kept last; undefined where it is nowhere. */
  saved(key: PartitionKey): SavedPartition | undefined {
    return this.#saved.get(rowOf(key))
  }

  /**
   * Lets a group have partitions that it has not yet.
   * @throws {ProtocolError} GROUP_MAX_SIZE_REACHED when there are too many
   */
  add(keys: readonly PartitionKey[]): void {
    const fresh = keys.filter((key) => !this.saved(key))
    if (fresh.length === 0) return
    if (this.#saved.size + fresh.length > MAX_PARTITIONS) {
      throw new ProtocolError(ErrorCode.GROUP_MAX_SIZE_REACHED, `at most ${MAX_PARTITIONS} partitions are shared`)
    }
    this.#write(fresh.map((key) => ({ key, value: { startOffset: UNINITIALIZED, leaderEpoch: 0, parts: [] } })))
    for (const key of fresh) this.#note(key)
  }

  /** Where groups begin anew: nobody has records of these any more. */
  reset(keys: readonly (PartitionKey & { readonly startOffset: number })[]): void {
    this.add(keys)
    this.#write(keys.map((key) => ({ key, value: { startOffset: key.startOffset, leaderEpoch: 0, parts: [] } })))
    for (const key of keys) this.#close(rowOf(key))
  }

  /** What a group has in flight; `begin` finds where it begins to read. Under another leader nobody has records any more. */
  open(key: PartitionKey, leaderEpoch: number, begin: (rules: ShareRules) => number): SharePartition | undefined {
    const known = this.saved(key)
    if (!known) return undefined
    const row = rowOf(key)
    const opened = this.#open.get(row)
    if (opened?.leaderEpoch === leaderEpoch) return opened
    opened?.close()
    const rules = () => this.#options.rulesOf(key.groupId)
    const startOffset = known.startOffset === UNINITIALIZED ? begin(rules()) : known.startOffset
    const partition = new SharePartition(
      { clock: this.#options.clock, rules, save: (value) => this.#write([{ key, value }]) },
      { ...known, startOffset, leaderEpoch },
    )
    this.#open.set(row, partition)
    return partition
  }

  /** What was opened, if it was. */
  find(key: PartitionKey): SharePartition | undefined {
    return this.#open.get(rowOf(key))
  }

  delete(keys: readonly PartitionKey[]): void {
    this.#write(keys.map((key) => ({ key, value: null })))
    for (const key of keys) {
      const row = rowOf(key)
      this.#close(row)
      const own = this.#keys.get(key.groupId)
      own?.delete(row)
      if (own?.size === 0) this.#keys.delete(key.groupId)
    }
  }

  #close(row: string): void {
    const opened = this.#open.get(row)
    this.#open.delete(row)
    opened?.close()
  }

  /** Forgets what groups know of offsets behind the end of their partition; `endOf` is undefined where there is none. */
  moveBack(endOf: (topicId: string, index: number) => number | undefined): void {
    const changes = [...this.#saved].flatMap(([row, value]) => {
      const key = keyOf(row)
      const end = key && endOf(key.topicId, key.index)
      return key && end !== undefined && reachesBehind(value, end) ? [{ key, value: cutAt(value, end) }] : []
    })
    if (changes.length > 0) this.#write(changes)
    for (const { key } of changes) this.#close(rowOf(key))
  }

  /** For a topic that is gone: in all groups. */
  deleteTopic(topicId: string): void {
    const gone = [...this.#keys.keys()].flatMap((groupId) => this.of(groupId).filter((key) => key.topicId === topicId))
    if (gone.length > 0) this.delete(gone)
  }

  close(): void {
    for (const row of [...this.#open.keys()]) this.#close(row)
  }
}
