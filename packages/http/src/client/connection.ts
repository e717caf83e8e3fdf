import type { Socket } from 'node:net'
import type { AnswerHeads, FramedHead } from './answer-head.ts'
import { type AnswerListener, AnswerParser } from './answer-parser.ts'
import { HttpClientError, isOfStaleConnection } from './http-client-error.ts'
import type { PreparedRequest } from './http-request.ts'
import type { OpenSocket } from './open-socket.ts'

/** A request that a connection carries. */
export interface RequestOwner extends AnswerListener {
  /** The answer does not come, or breaks off. `isStale`: the connection had carried another one, and has ended without a byte of this answer. */
  onFailure(error: unknown, isStale: boolean): void
}

/** The pool of a connection. */
export interface ConnectionKeeper {
  /** Its answer is whole, and it can carry another request. */
  onAnswered(connection: Connection, keepAliveSeconds: number): void
  onClosed(connection: Connection): void
}

export interface ConnectionOptions {
  readonly keeper: ConnectionKeeper
  readonly heads: AnswerHeads
  readonly stalledMs: number
}

/** Carries one request after another. */
export class Connection {
  /** To the other side, or to a proxy that has still to open a tunnel. */
  readonly #opening: Socket
  #socket: Socket | undefined
  /** A request that waits for the tunnel. */
  #unsent: PreparedRequest | undefined
  #isClosed = false
  readonly #keeper: ConnectionKeeper
  readonly #heads: AnswerHeads
  #owner: RequestOwner | undefined
  #parser: AnswerParser | undefined
  #wasUsed = false
  #hasBytes = false
  #error: unknown

  constructor(open: OpenSocket, { keeper, heads, stalledMs }: ConnectionOptions) {
    this.#keeper = keeper
    this.#heads = heads
    this.#opening = open(
      (bytes) => this.#read(bytes),
      (error, socket) => {
        if (error === null) this.#use(socket, stalledMs)
        else this.destroy(error)
      },
    )
  }

  #use(socket: Socket, stalledMs: number): void {
    if (this.#isClosed) {
      socket.destroy()
      return
    }
    this.#socket = socket
    if (stalledMs > 0) socket.setTimeout(stalledMs, () => this.#stalled(stalledMs))
    socket
      .on('error', (error) => {
        this.#error ??= error
      })
      .on('end', () => {
        if (this.#parser?.close()) this.#leave()
        // At once: what is still to be written has no reader.
        socket.destroy()
      })
      .on('close', () => this.#closed())
    if (this.#unsent !== undefined) write(this.#unsent, socket)
    this.#unsent = undefined
  }

  /** True when another request can be sent: neither side has ended it, as far as is known. */
  get isUsable(): boolean {
    const socket = this.#socket
    return socket !== undefined && !socket.destroyed && socket.readable && socket.writable
  }

  send(request: PreparedRequest, owner: RequestOwner): void {
    this.#owner = owner
    this.#parser = new AnswerParser(owner, this.#heads)
    this.#hasBytes = false
    if (this.#socket === undefined) this.#unsent = request
    else write(request, this.#socket)
  }

  /** Ends it at once, and its request with the error. */
  destroy(error?: unknown): void {
    this.#error ??= error
    if (this.#socket !== undefined) {
      this.#socket.destroy()
      return
    }
    this.#opening.destroy()
    this.#closed()
  }

  #stalled(ms: number): void {
    this.destroy(new HttpClientError('HTTP_TIMEOUT', `nothing arrived for ${ms} ms`))
  }

  #read(bytes: Buffer): void {
    const parser = this.#parser
    if (parser === undefined) {
      // Nothing has asked for these bytes: they could only be mistaken for the next answer.
      this.destroy()
      return
    }
    this.#hasBytes = true
    try {
      const left = parser.read(bytes)
      if (parser.isWhole) this.#answered(parser.head, left)
      else if (parser.isUnwanted) this.destroy()
    } catch (error) {
      this.destroy(error)
    }
  }

  #answered(head: FramedHead | undefined, bytesBehind: number): void {
    this.#leave()
    // A service that answered before it had the whole request gets no other one.
    const hadAll = this.#socket?.writableLength === 0
    if (!hadAll || bytesBehind > 0 || head?.isPersistent !== true || !this.isUsable) {
      this.destroy()
      return
    }
    this.#wasUsed = true
    this.#socket?.unref()
    this.#keeper.onAnswered(this, head.keepAliveSeconds)
  }

  #closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    const owner = this.#leave()
    const ended = 'the connection was closed before the end of the answer'
    const error = this.#error ?? new HttpClientError('HTTP_BROKE_OFF', ended)
    this.#keeper.onClosed(this)
    owner?.onFailure(error, this.#wasUsed && !this.#hasBytes && isOfStaleConnection(error))
  }

  /** Ends the request's hold on the connection; returns the request. */
  #leave(): RequestOwner | undefined {
    const owner = this.#owner
    this.#owner = undefined
    this.#parser = undefined
    return owner
  }
}

function write({ text, rest }: PreparedRequest, socket: Socket): void {
  socket.ref()
  if (rest === undefined) {
    socket.write(text, 'latin1')
    return
  }
  socket.cork()
  socket.write(text, 'latin1')
  socket.write(rest)
  socket.uncork()
}
