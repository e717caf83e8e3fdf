/**
 * The consumer groups that this installation made and has not removed yet. Other installations may keep theirs in the same Kafka:
 * what is not in here is not this one's to remove.
 */
export class OwnGroups {
  readonly #ids: Set<string>
  readonly #onChange: () => void

  /** `ids` is what an earlier life left; `onChange` is called whenever that has changed. */
  constructor(ids: Iterable<string> = [], onChange: () => void = () => {}) {
    this.#ids = new Set(ids)
    this.#onChange = onChange
  }

  get ids(): readonly string[] {
    return [...this.#ids]
  }

  add(id: string): void {
    if (this.#ids.has(id)) return
    this.#ids.add(id)
    this.#onChange()
  }

  delete(id: string): void {
    if (this.#ids.delete(id)) this.#onChange()
  }
}
