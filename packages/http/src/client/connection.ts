import type { Socket } from 'node:net'
import { monotonicMs } from '@taproom/time'
import { type Together, writesTogether } from '../write-together.ts'
import type { AnswerHead, AnswerHeads } from './answer-head.ts'
import { type AnswerListener, AnswerParser } from './answer-parser.ts'
import { type AnswerSource, type HttpAnswer, IncomingAnswer } from './http-answer.ts'
import { HttpClientError } from './http-client-error.ts'
import type { PreparedRequest } from './http-request.ts'

/** Connects; what is read goes to `onBytes`, which has it only during the call. */
export type OpenSocket = (onBytes: (bytes: Buffer) => void) => Socket

/** Whose request a connection carries. */
export interface RequestOwner {
  /** The answer to its request is the next one: those before it are over. Not called where none were before it. */
  onNext(): void
  onAnswer(answer: HttpAnswer): void
  /** There is no answer. `isStale`: the connection had carried another one, and has ended without a byte of this answer. */
  onFailure(error: unknown, isStale: boolean): void
  /** The answer is over: whole, or broken off. */
  onOver(): void
}

/** Who gives the connection its requests. */
export interface ConnectionKeeper {
  /** It has had a whole answer, and can carry another request. */
  onAnswered(connection: Connection): void
  onClosed(connection: Connection): void
}

/** How much the last answer counts in how long one takes. */
const NEWEST_PART = 1 / 4

/** A connection that carries one request after another, and may be given several: their answers come in order (RFC 9112, 9.3.2). */
export class Connection implements AnswerListener, AnswerSource {
  readonly #socket: Socket
  readonly #together: Together
  readonly #keeper: ConnectionKeeper
  readonly #heads: AnswerHeads
  #owner: RequestOwner | undefined
  /** Whose requests are sent, and answered after that one. */
  #behind: RequestOwner[] = []
  #parser: AnswerParser | undefined
  #head: AnswerHead | undefined
  #answer: IncomingAnswer | undefined
  #wasUsed = false
  #hasBytes = false
  #error: unknown
  /** Since when the next answer is awaited, and how long one takes; by the monotonic clock. */
  #awaitedSinceMs = 0
  #answerMs = 0

  constructor(
    open: OpenSocket,
    options: { readonly keeper: ConnectionKeeper; readonly heads: AnswerHeads; readonly stalledMs: number },
  ) {
    const { keeper, heads, stalledMs } = options
    this.#keeper = keeper
    this.#heads = heads
    this.#socket = open((bytes) => this.#read(bytes))
    this.#together = writesTogether(this.#socket)
    // One that waits for its reader, or for other writes, is not stalled.
    const isStalled = () => !this.#socket.isPaused() && !this.#together.isWaiting
    const onStalled = () => void (isStalled() && this.destroy(stalled(stalledMs)))
    if (stalledMs > 0) this.#socket.setTimeout(stalledMs, onStalled)
    this.#socket
      .on('error', (error) => {
        this.#error ??= error
      })
      .on('end', () => {
        this.#parser?.close()
        // Without waiting for what cannot be written any more.
        this.#socket.destroy()
      })
      .on('close', () => this.#closed())
  }

  /** Whether another request can be sent: neither side has ended it, as far as is known. */
  get isUsable(): boolean {
    return !this.#socket.destroyed && this.#socket.readable && this.#socket.writable
  }

  get underWay(): number {
    return this.#owner === undefined ? 0 : 1 + this.#behind.length
  }

  /**
   * In milliseconds, how long a further request would wait for the answers to those before it, by how long the last ones took. Infinite before
   * the first answer: only that shows whether the connection stays open.
   */
  get expectedWaitMs(): number {
    if (!this.#wasUsed) return Number.POSITIVE_INFINITY
    return this.underWay * Math.max(this.#answerMs, monotonicMs() - this.#awaitedSinceMs)
  }

  /** Seconds after which the other side closes it when it is idle, if it says so. */
  get keepAliveSeconds(): number {
    return this.#head?.keepAliveSeconds ?? Number.POSITIVE_INFINITY
  }

  send(request: PreparedRequest, owner: RequestOwner): void {
    if (this.#owner === undefined) {
      this.#await(owner)
      this.#socket.ref()
    } else {
      this.#behind.push(owner)
    }
    this.#together.during(() => this.#write(request))
  }

  /** The owner does not wait for its answer any more. That ends the connection, and fails the others as when the other side had ended it. */
  giveUp(owner: RequestOwner, reason: unknown): void {
    this.destroy(owner === this.#owner ? reason : undefined)
  }

  /** Ends it at once, and the request whose answer is next with the error. */
  destroy(error?: unknown): void {
    this.#error ??= error
    this.#socket.destroy()
  }

  onHead(head: AnswerHead): void {
    this.#head = head
    this.#answer = new IncomingAnswer(head, this)
    this.#owner?.onAnswer(this.#answer)
  }

  onBytes(bytes: Buffer): boolean {
    return this.#answer?.add(bytes) ?? false
  }

  onWhole(): void {
    this.#answer?.end()
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  drop(): void {
    this.destroy()
  }

  #write({ text, rest }: PreparedRequest): void {
    if (rest === undefined) {
      this.#socket.write(text, 'latin1')
      return
    }
    this.#socket.cork()
    this.#socket.write(text, 'latin1')
    this.#socket.write(rest)
    this.#socket.uncork()
  }

  #read(bytes: Buffer): void {
    try {
      let left = bytes.length
      while (left > 0 && !this.#socket.destroyed) left = this.#readOne(bytes.subarray(bytes.length - left))
    } catch (error) {
      this.destroy(error)
    }
  }

  /** Reads one answer at most. Returns how many bytes are left. */
  #readOne(bytes: Buffer): number {
    const parser = this.#parser
    if (parser === undefined) {
      // Nobody has asked for them: they could only be mistaken for the next answer.
      this.destroy()
      return 0
    }
    this.#hasBytes = true
    const left = parser.read(bytes)
    if (parser.isWhole) this.#answered(left === 0)
    else if (parser.isUnwanted) this.destroy()
    return left
  }

  #answered(isAll: boolean): void {
    const isLast = this.#behind.length === 0
    // A service that has answered before it had the whole request gets no other one; and nobody has asked for bytes behind the last answer.
    const isFinished = !isLast || (isAll && this.#socket.writableLength === 0)
    if (!isFinished || this.#head?.isPersistent !== true || !this.isUsable) {
      this.destroy()
      return
    }
    const tookMs = monotonicMs() - this.#awaitedSinceMs
    this.#answerMs += this.#wasUsed ? (tookMs - this.#answerMs) * NEWEST_PART : tookMs
    this.#wasUsed = true
    const owner = this.#leave()
    const next = this.#behind.shift()
    owner?.onOver()
    if (next !== undefined) this.#await(next)
    next?.onNext()
    // Its answer may not have been read yet; what comes next must be seen.
    if (this.#socket.isPaused()) this.#socket.resume()
    if (next === undefined) this.#socket.unref()
    this.#keeper.onAnswered(this)
  }

  #closed(): void {
    const [owner, answer, error] = [this.#leave(), this.#answer, this.#error ?? brokeOff()]
    const behind = this.#behind
    this.#behind = []
    this.#keeper.onClosed(this)
    answer?.end(error)
    if (answer === undefined) owner?.onFailure(error, this.#wasUsed && !this.#hasBytes && isOfStaleConnection(error))
    else owner?.onOver()
    for (const each of behind) each.onFailure(brokeOff(), true)
  }

  /** The next answer is this one's. */
  #await(owner: RequestOwner): void {
    this.#owner = owner
    this.#parser = new AnswerParser(this, this.#heads)
    this.#answer = undefined
    this.#hasBytes = false
    this.#awaitedSinceMs = monotonicMs()
  }

  /** Awaits nothing any more; returns whose request it was. */
  #leave(): RequestOwner | undefined {
    const owner = this.#owner
    this.#owner = undefined
    this.#parser = undefined
    return owner
  }
}

function isOfStaleConnection(error: unknown): boolean {
  if (error instanceof HttpClientError) return error.code === 'HTTP_BROKE_OFF'
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}

function brokeOff(): HttpClientError {
  return new HttpClientError('HTTP_BROKE_OFF', 'the connection was closed before the end of the answer')
}

function stalled(ms: number): HttpClientError {
  return new HttpClientError('HTTP_TIMEOUT', `nothing arrived for ${ms} ms`)
}
