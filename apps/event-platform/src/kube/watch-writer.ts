import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Response } from 'express'
import type { KubeObject } from '../resources/object.ts'
import type { ResourceChange } from '../resources/resource-store.ts'

/** A change, an object that existed before, or the end of those, at a resource version. */
export type WatchEvent =
  | ResourceChange
  | { readonly type: 'ADDED'; readonly object: KubeObject; readonly bytes: 0 }
  | { readonly type: 'BOOKMARK'; readonly at: number; readonly bytes: 0 }

/** A watcher with more changes, or more bytes of objects, waiting is dropped; it may resume. */
const MOST_PENDING = 1024
const MOST_PENDING_BYTES = 1_048_576
/** Lines written before other work gets a turn. */
const LINES_A_TURN = 50

/** Writes one watch's events as fast as its client reads. */
export class WatchWriter {
  readonly #res: Response
  readonly #lineOf: (event: WatchEvent, options: { isFirst: boolean }) => string
  readonly #pending: WatchEvent[]
  readonly #mostPending: number
  #pendingBytes: number
  #isFirst = true
  #isWriting = false

  /** `present` are the objects at the start of the watch, `missed` the changes to resume with. */
  constructor(options: {
    readonly res: Response
    readonly present: readonly WatchEvent[]
    readonly missed: readonly ResourceChange[]
    readonly lineOf: (event: WatchEvent, options: { isFirst: boolean }) => string
  }) {
    const { res, present, missed, lineOf } = options
    this.#res = res
    this.#lineOf = lineOf
    this.#pending = [...missed, ...present]
    this.#mostPending = MOST_PENDING + present.length
    this.#pendingBytes = this.#pending.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  start(): void {
    this.#write().catch(() => this.#res.destroy())
  }

  /** Queues a change, or drops the watcher when too much is waiting. */
  add(change: ResourceChange): void {
    if (this.#isOver()) return
    this.#pending.push(change)
    this.#pendingBytes += change.bytes
    const isTooSlow = this.#pending.length > this.#mostPending || this.#pendingBytes > MOST_PENDING_BYTES + change.bytes
    if (isTooSlow) this.#res.destroy()
    else this.start()
  }

  /** Ends the watch; waiting events are not written. */
  end(): void {
    this.#pending.length = 0
    this.#res.end()
  }

  async #write(): Promise<void> {
    if (this.#isWriting) return
    this.#isWriting = true
    for (let lines = 1; !this.#isOver(); lines += 1) {
      const event = this.#pending.shift()
      if (event === undefined) break
      this.#pendingBytes -= event.bytes
      const hasRoom = this.#res.write(this.#lineOf(event, { isFirst: this.#isFirst }))
      this.#isFirst = false
      if (!hasRoom) await drained(this.#res)
      else if (lines % LINES_A_TURN === 0) await nextTurn()
    }
    this.#isWriting = false
  }

  /** A response emits `close` only after its client has read it. */
  #isOver(): boolean {
    return this.#res.writableEnded || this.#res.closed
  }
}

/** Resolves when the response has room, or is over. */
function drained(res: Response): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done)
      res.off('close', done)
      resolve()
    }
    res.once('drain', done)
    res.once('close', done)
    if (res.closed || res.writableEnded) done()
  })
}
