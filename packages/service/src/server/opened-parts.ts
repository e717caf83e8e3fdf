/**
 * Parts that are closed in the reverse order of their opening, all of them, also when one fails to close. What `AsyncDisposableStack` is,
 * which Node 22 does not have.
 */
export class OpenedParts implements AsyncDisposable {
  #parts: (AsyncDisposable | Disposable)[] = []

  /** Registers a part to be closed, and returns it. */
  use<Part extends AsyncDisposable | Disposable>(part: Part): Part {
    this.#parts.push(part)
    return part
  }

  /** Registers what is to be done instead of a part to be closed. */
  defer(close: () => Promise<void> | void): void {
    this.#parts.push({ [Symbol.asyncDispose]: async () => await close() })
  }

  /** Hands all parts over to another owner; here none is left. */
  move(): OpenedParts {
    const moved = new OpenedParts()
    moved.#parts = this.#parts
    this.#parts = []
    return moved
  }

  /** Rejects with the error of a part that could not be closed; with several of them as the language has it (`SuppressedError`). */
  async [Symbol.asyncDispose](): Promise<void> {
    const part = this.#parts.shift()
    if (part === undefined) return
    await using _last = part
    await this[Symbol.asyncDispose]()
  }
}
