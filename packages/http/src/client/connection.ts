import type { Socket } from 'node:net'
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
  onAnswer(answer: HttpAnswer): void
  /** There is no answer. `isStale`: the connection was used before, and has ended without a byte of this answer. */
  onFailure(error: unknown, isStale: boolean): void
  /** The answer is over: whole, or broken off. */
  onOver(): void
}

/** Who has the connection while it carries nothing. */
export interface ConnectionKeeper {
  onIdle(connection: Connection): void
  onClosed(connection: Connection): void
}

/** A connection that carries one request after another. */
export class Connection implements AnswerListener, AnswerSource {
  readonly #socket: Socket
  readonly #together: Together
  readonly #keeper: ConnectionKeeper
  readonly #heads: AnswerHeads
  #owner: RequestOwner | undefined
  #parser: AnswerParser | undefined
  #head: AnswerHead | undefined
  #answer: IncomingAnswer | undefined
  #wasUsed = false
  #hasBytes = false
  #error: unknown

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

  /** Seconds after which the other side closes it when it is idle, if it says so. */
  get keepAliveSeconds(): number {
    return this.#head?.keepAliveSeconds ?? Number.POSITIVE_INFINITY
  }

  send(request: PreparedRequest, owner: RequestOwner): void {
    this.#owner = owner
    this.#parser = new AnswerParser(this, this.#heads)
    this.#answer = undefined
    this.#hasBytes = false
    this.#socket.ref()
    this.#together.during(() => this.#write(request))
  }

  /** Ends it at once, and whatever it carries with the error. */
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
    const parser = this.#parser
    if (parser === undefined) {
      // Nobody has asked for them: they could only be mistaken for the next answer.
      this.destroy()
      return
    }
    this.#hasBytes = true
    try {
      const rest = parser.read(bytes)
      if (parser.isWhole) this.#answered(rest === 0)
      else if (parser.isUnwanted) this.destroy()
    } catch (error) {
      this.destroy(error)
    }
  }

  #answered(isAll: boolean): void {
    // A service that has answered before it had the whole request gets no other one.
    const isFinished = isAll && this.#head?.isPersistent === true && this.#socket.writableLength === 0
    if (!isFinished || !this.isUsable) {
      this.destroy()
      return
    }
    this.#wasUsed = true
    this.#leave()?.onOver()
    // Its answer may not have been read yet; what comes next must be seen.
    if (this.#socket.isPaused()) this.#socket.resume()
    this.#socket.unref()
    this.#keeper.onIdle(this)
  }

  #closed(): void {
    const [owner, answer, error] = [this.#leave(), this.#answer, this.#error ?? brokeOff()]
    this.#keeper.onClosed(this)
    answer?.end(error)
    if (answer === undefined) owner?.onFailure(error, this.#wasUsed && !this.#hasBytes && isOfStaleConnection(error))
    else owner?.onOver()
  }

  /** Carries nothing any more; returns whose request it was. */
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
