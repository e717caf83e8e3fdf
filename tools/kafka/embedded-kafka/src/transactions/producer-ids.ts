import type { StateStore } from '../storage/state-store.ts'

const TABLE = 'producer-ids'
const BLOCK = 1000

/** Gives out producer ids that were never used before; they are reserved in blocks. */
export class ProducerIds {
  readonly #state: StateStore
  #next: number
  #reserved: number

  constructor(state: StateStore) {
    this.#state = state
    this.#next = state.table<number>(TABLE).get('reserved') ?? 0
    this.#reserved = this.#next
  }

  next(): number {
    if (this.#next === this.#reserved) {
      this.#reserved += BLOCK
      this.#state.write([{ table: TABLE, id: 'reserved', value: this.#reserved }])
    }
    return this.#next++
  }
}
