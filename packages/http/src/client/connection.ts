import type { Socket } from 'node:net'
import type { AnswerHead, AnswerHeads } from './answer-head.ts'
import { type AnswerListener, AnswerParser } from './answer-parser.ts'
import { AnswerTimes } from './answer-times.ts'
import { type AnswerSource, type HttpAnswer, IncomingAnswer } from './http-answer.ts'
import { brokeOff, HttpClientError, isOfStaleConnection, stalled } from './http-client-error.ts'
import type { PreparedRequest } from './http-request.ts'
import type { OpenSocket } from './open-socket.ts'

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

export interface ConnectionOptions {
  readonly keeper: ConnectionKeeper
  readonly heads: AnswerHeads
  readonly stalledMs: number
  /** Whether it may be given several requests, so that it has to know how long answers take. */
  readonly isShared: boolean
}

/** A request that waits for the answers to those before it. */
interface Behind {
  /** Undefined once it is given up: nobody would take its answer, and the connection ends when that is the next one. */
  owner: RequestOwner | undefined
  readonly endsAt: number
}

/** Carries one request after another, or several at a time: their answers come in order (RFC 9112, 9.3.2). */
export class Connection implements AnswerListener, AnswerSource {
  readonly #socket: Socket
  readonly #keeper: ConnectionKeeper
  readonly #heads: AnswerHeads
  readonly #times: AnswerTimes | undefined
  #owner: RequestOwner | undefined
  /** What is sent, and answered after that one. */
  #behind: Behind[] = []
  /** Bytes of all requests, and of those up to the one whose answer is next. */
  #givenBytes = 0
  #endsAt = 0
  #parser: AnswerParser | undefined
  #head: AnswerHead | undefined
  #answer: IncomingAnswer | undefined
  #wasUsed = false
  #hasBytes = false
  #error: unknown

  constructor(open: OpenSocket, { keeper, heads, stalledMs, isShared }: ConnectionOptions) {
    this.#keeper = keeper
    this.#heads = heads
    this.#times = isShared ? new AnswerTimes() : undefined
    this.#socket = open((bytes) => this.#read(bytes))
    // A connection that waits for its reader is not stalled.
    const onStalled = () => void (this.#socket.isPaused() || this.destroy(stalled(stalledMs)))
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
   * the first answer, as only that shows whether the connection stays open, and when it is going to end.
   */
  expectedWaitMs(nowMs: number): number {
    if (!this.isUsable || this.#behind.some(({ owner }) => owner === undefined)) return Number.POSITIVE_INFINITY
    return this.#times?.expectedMs(this.underWay, nowMs) ?? Number.POSITIVE_INFINITY
  }

  /** Seconds after which the other side closes it when it is idle, if it says so. */
  get keepAliveSeconds(): number {
    return this.#head?.keepAliveSeconds ?? Number.POSITIVE_INFINITY
  }

  send(request: PreparedRequest, owner: RequestOwner): void {
    // The text is Latin-1.
    this.#givenBytes += request.text.length + (request.rest?.length ?? 0)
    if (this.#owner === undefined) {
      this.#await(owner, this.#givenBytes)
      this.#socket.ref()
    } else {
      this.#behind.push({ owner, endsAt: this.#givenBytes })
    }
    this.#write(request)
  }

  /** The owner does not wait for its answer any more. That ends the connection, once the answers before its own are over. */
  giveUp(owner: RequestOwner, reason: unknown): void {
    const behind = this.#behind.find((each) => each.owner === owner)
    if (behind === undefined) {
      this.destroy(reason)
    } else {
      behind.owner = undefined
      owner.onFailure(reason, false)
    }
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
      let left = this.#readOne(bytes)
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
    const next = this.#behind[0]
    // A service that has answered before it had the whole request gets no other one.
    const hasHadAll = this.#givenBytes - this.#socket.writableLength >= this.#endsAt
    // Nobody has asked for bytes behind the last answer, or would take the next one.
    const isExpected = next === undefined ? isAll : next.owner !== undefined
    if (!hasHadAll || !isExpected || this.#head?.isPersistent !== true || !this.isUsable) {
      this.destroy()
      return
    }
    this.#times?.end()
    this.#wasUsed = true
    this.#leave()?.onOver()
    if (next?.owner !== undefined) {
      this.#behind.shift()
      this.#await(next.owner, next.endsAt)
      next.owner.onNext()
    }
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
    // What failed the answer before theirs did not fail them.
    const ofAll = error instanceof HttpClientError && error.code === 'HTTP_CLIENT_CLOSED' ? error : brokeOff()
    for (const each of behind) each.owner?.onFailure(ofAll, true)
  }

  /** The next answer is this one's. */
  #await(owner: RequestOwner, endsAt: number): void {
    this.#owner = owner
    this.#endsAt = endsAt
    this.#parser = new AnswerParser(this, this.#heads)
    this.#answer = undefined
    this.#hasBytes = false
    this.#times?.begin()
  }

  /** Awaits nothing any more; returns whose request it was. */
  #leave(): RequestOwner | undefined {
    const owner = this.#owner
    this.#owner = undefined
    this.#parser = undefined
    return owner
  }
}
