/** Consumer groups that this installation created and has not removed. No others are ever removed: Kafka may be shared. */
export class CreatedGroups {
  readonly #ids: Set<string>
  readonly #onChange: () => void

  /** `ids` are from before the restart. */
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
