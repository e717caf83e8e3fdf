import type { Socket } from 'node:net'
import type { AnswerHead } from './answer-head.ts'
import { type AnswerListener, AnswerParser } from './answer-parser.ts'
import { HttpClientError } from './errors.ts'
import { type AnswerSource, type HttpAnswer, IncomingAnswer } from './http-answer.ts'
import type { PreparedRequest } from './http-request.ts'

/** Connects; what is read goes to `onBytes`, which has it only during the call. */
export type OpenSocket = (onBytes: (bytes: Buffer) => void) => Socket

/** Whose request a connection carries. */
export interface RequestOwner {
  onAnswer(answer: HttpAnswer): void
  /** There is no answer. `isStale`: the connection was used before, and has ended without a byte of this answer. */
  onFailure(error: unknown, isStale: boolean): void
  /** The answer is over: whole, or broken off. */
  onEnd(): void
}

/** Who has the connection while it carries nothing. */
export interface ConnectionKeeper {
  onIdle(connection: Connection): void
  onClosed(connection: Connection): void
}

/** A connection that carries one request after another. */
export class Connection implements AnswerListener, AnswerSource {
  readonly #socket: Socket
  readonly #keeper: ConnectionKeeper
  #owner: RequestOwner | undefined
  #parser: AnswerParser | undefined
  #head: AnswerHead | undefined
  #answer: IncomingAnswer | undefined
  #wasUsed = false
  #hasBytes = false
  #error: unknown

  constructor(
    open: OpenSocket,
    { keeper, stalledMs }: { readonly keeper: ConnectionKeeper; readonly stalledMs: number },
  ) {
    this.#keeper = keeper
    this.#socket = open((bytes) => this.#read(bytes))
    if (stalledMs > 0) this.#socket.setTimeout(stalledMs, () => this.end(stalled(stalledMs)))
    this.#socket
      .on('error', (error) => {
        this.#error ??= error
      })
      .on('end', () => this.#parser?.close())
      .on('close', () => this.#closed())
  }

  /** Seconds without `Connection: close` after which the other side closes it when it is idle, if it says so. */
  get keepAliveSeconds(): number {
    const [, seconds] = /(?:^|,)\s*timeout=(\d{1,9})/i.exec(this.#head?.headers['keep-alive']?.[0] ?? '') ?? []
    return seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds)
  }

  send(request: PreparedRequest, owner: RequestOwner): void {
    this.#owner = owner
    this.#parser = new AnswerParser(this)
    this.#answer = undefined
    this.#hasBytes = false
    this.#socket.ref()
    const { text, rest } = request
    if (rest === undefined) {
      this.#socket.write(text, 'latin1')
      return
    }
    this.#socket.cork()
    this.#socket.write(text, 'latin1')
    this.#socket.write(rest)
    this.#socket.uncork()
  }

  /** Ends it, and whatever it carries with the error. */
  end(error?: unknown): void {
    this.#error ??= error
    this.#socket.destroy()
  }

  onHead(head: AnswerHead): void {
    this.#head = head
    this.#answer = new IncomingAnswer(head, this)
    this.#owner?.onAnswer(this.#answer)
  }

  onBytes(bytes: Buffer): void {
    this.#answer?.add(bytes)
  }

  onEnd(): void {
    this.#answer?.end()
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  drop(): void {
    this.end()
  }

  #read(bytes: Buffer): void {
    const parser = this.#parser
    if (parser === undefined) {
      // Nobody has asked for them: they could only be mistaken for the next answer.
      this.end()
      return
    }
    this.#hasBytes = true
    try {
      const rest = parser.read(bytes)
      if (parser.isDone) this.#answered(rest === 0)
    } catch (error) {
      this.end(error)
    }
  }

  #answered(isAll: boolean): void {
    // A service that has answered before it had the whole request gets no other one.
    const isReusable = isAll && this.#head?.isPersistent === true && this.#socket.writableLength === 0
    if (!isReusable || this.#socket.destroyed) {
      this.end()
      return
    }
    this.#wasUsed = true
    this.#leave()?.onEnd()
    this.#socket.unref()
    this.#keeper.onIdle(this)
  }

  #closed(): void {
    const [owner, answer, error] = [this.#leave(), this.#answer, this.#error ?? brokeOff()]
    this.#keeper.onClosed(this)
    answer?.end(error)
    if (answer === undefined) owner?.onFailure(error, this.#wasUsed && !this.#hasBytes && isReset(error))
    else owner?.onEnd()
  }

  /** Carries nothing any more; returns whose request it was. */
  #leave(): RequestOwner | undefined {
    const owner = this.#owner
    this.#owner = undefined
    this.#parser = undefined
    return owner
  }
}

function isReset(error: unknown): boolean {
  if (error instanceof HttpClientError) return error.code === 'HTTP_BROKE_OFF'
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}

function brokeOff(): HttpClientError {
  return new HttpClientError('HTTP_BROKE_OFF', 'the connection was closed before the end of the answer')
}

function stalled(ms: number): HttpClientError {
  return new HttpClientError('HTTP_TIMEOUT', `nothing arrived for ${ms} ms`)
}
