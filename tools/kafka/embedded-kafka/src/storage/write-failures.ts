/** Called when a file cannot be written, once until a write to it succeeds again. */
export type OnWriteFailure = (path: string, error: Error) => void

/** Reports a file that cannot be written once: a full disk fails each request of a client, and makes one line of the log. */
export class WriteFailures {
  readonly #onFailure: OnWriteFailure
  readonly #failing = new Set<string>()

  constructor(onFailure: OnWriteFailure) {
    this.#onFailure = onFailure
  }

  failed(path: string, error: unknown): void {
    if (this.#failing.has(path)) return
    this.#failing.add(path)
    this.#onFailure(path, error instanceof Error ? error : new Error(String(error)))
  }

  succeeded(path: string): void {
    if (this.#failing.size > 0) this.#failing.delete(path)
  }
}
