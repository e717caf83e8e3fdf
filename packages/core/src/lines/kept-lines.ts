/** How much is kept. */
export interface KeptLinesLimits {
  readonly maxLines: number
  /** Of all lines together; the newest line is kept whatever its length. */
  readonly maxCharacters: number
}

/** The newest of many lines; the oldest go first. A line has at least its text as JSON. */
export class KeptLines<Line extends { readonly json: string }> {
  readonly #limits: KeptLinesLimits
  #lines: Line[] = []
  /** Lines at the front that are gone, never more than are kept: taking each away by itself would move all others. */
  #gone = 0
  #characters = 0

  constructor(limits: KeptLinesLimits) {
    this.#limits = limits
  }

  get length(): number {
    return this.#lines.length - this.#gone
  }

  /** The line at a place from 0, the oldest, on; from the end with a negative one. */
  at(place: number): Line | undefined {
    return place < 0 ? this.#lines.at(place) : this.#lines[this.#gone + place]
  }

  /** Those from a place on. */
  from(place: number): readonly Line[] {
    return this.#lines.slice(this.#gone + Math.max(0, place))
  }

  push(line: Line): void {
    this.#lines.push(line)
    this.#characters += line.json.length
    const { maxLines, maxCharacters } = this.#limits
    while (this.length > maxLines || (this.#characters > maxCharacters && this.length > 1)) {
      this.#characters -= this.#lines[this.#gone]?.json.length ?? 0
      this.#gone += 1
    }
    if (this.#gone <= this.length) return
    this.#lines = this.#lines.slice(this.#gone)
    this.#gone = 0
  }
}
