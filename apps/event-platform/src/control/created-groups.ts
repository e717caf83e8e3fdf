/**
 * The consumer groups that this installation created and has not removed yet. Other installations may use the same Kafka, so no
 * other groups are removed.
 */
export class CreatedGroups {
  readonly #ids: Set<string>
  readonly #onChange: () => void

  /** `ids` are those of before the restart; `onChange` is called whenever they have changed. */
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
