import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { monotonicMs } from '@taproom/core/time'
import { type Refusal, refusalMessage } from '../requests/refusal.ts'
import type { HttpLimits } from './http-limits.ts'
import { closeLingering, dropRest } from './linger.ts'

/** Called for each request, once the requests before it on its connection have been answered. */
export type Handle = (req: IncomingMessage, res: ServerResponse) => void

interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

class Connection {
  /** Being answered. */
  current: Exchange | undefined = undefined
  /** Arrived after it. */
  readonly waiting: Exchange[] = []
  /** When the last answer ended, by `monotonicMs`. */
  answeredAtMs = 0
  /** Number of requests so far. */
  handled = 0
  isPaused = false
  /** The last answer is being sent or has been sent: further bytes are not requests. */
  isEnding = false
  /** The answer to bytes that were not HTTP, sent after the answers to the requests before them. */
  refusal: Refusal | undefined = undefined
  /** It was sent: whatever else is under way is answered by nobody. */
  isRefused = false
}

/** Most requests of one connection that are handled in one turn of the event loop. */
const REQUESTS_A_TURN = 16

type Limits = Pick<HttpLimits, 'maxPipelined' | 'maxRequestsPerConnection' | 'lingerBytes' | 'lingerMs'>

export interface ConnectionsOptions {
  readonly limits: Limits
  /** Of answers to bytes that were not HTTP, besides their own. */
  readonly headers: Readonly<Record<string, string>>
}

/** The connections of a server. Requests of one connection are handled one after another, however many a client sends at once. */
export class Connections {
  readonly #handle: Handle
  readonly #limits: Limits
  readonly #headers: ConnectionsOptions['headers']
  readonly #open = new Map<Socket, Connection>()
  readonly #outside = AsyncLocalStorage.snapshot()
  #inFlight = 0
  #whenIdle: (() => void) | undefined

  constructor({ limits, headers }: ConnectionsOptions, handle: Handle) {
    this.#handle = handle
    this.#limits = limits
    this.#headers = headers
  }

  opened(socket: Socket): void {
    const connection = new Connection()
    this.#open.set(socket, connection)
    // Reading a body makes Node resume the socket, even when all of the body has arrived.
    socket.on('resume', () => {
      if (connection.isPaused) socket.pause()
    })
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#ended(connection.waiting.splice(0).length)
    })
  }

  add(req: IncomingMessage, res: ServerResponse): void {
    const { socket } = req
    const connection = this.#open.get(socket)
    if (connection === undefined || connection.isEnding) return
    this.#inFlight += 1
    if (connection.current === undefined) {
      this.#begin(connection, { req, res })
      return
    }
    connection.waiting.push({ req, res })
    if (connection.waiting.length >= this.#limits.maxPipelined) this.#pause(connection, socket)
  }

  has(socket: Socket): boolean {
    return this.#open.has(socket)
  }

  /** True when the connection has no request, and has had none for a while: a timer can fire in the turn that ends the answer. */
  isIdle(socket: Socket): boolean {
    const connection = this.#open.get(socket)
    if (connection === undefined) return true
    return connection.current === undefined && monotonicMs() - connection.answeredAtMs > (socket.timeout ?? 0) / 2
  }

  /** Whether bytes of the connection were refused, so that its request gets no other answer. */
  isRefused(socket: Socket): boolean {
    return this.#open.get(socket)?.isRefused ?? false
  }

  /** No further request of this connection is handled. */
  endAfterThis(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    connection.isEnding = true
    this.#ended(connection.waiting.splice(0).length)
  }

  /**
   * Bytes of the connection are not HTTP, or came too late: answers with the refusal if that is still possible, then ends the connection.
   * False if it is ending anyway.
   */
  refuse(socket: Socket, refusal: Refusal): boolean {
    const connection = this.#open.get(socket)
    if (connection === undefined || connection.isEnding) return false
    const { current, waiting } = connection
    if (current?.req.complete) {
      // The requests before it still get their answers, except one whose body is incomplete.
      if (waiting.at(-1)?.req.complete === false) this.#ended([waiting.pop()].length)
      connection.refusal = refusal
      this.#pause(connection, socket)
    } else if (current?.res.headersSent) socket.destroy()
    else this.#refuseNow(connection, socket, refusal)
    return true
  }

  /** Resolves once no request is in flight; until then each answer closes its connection. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenIdle = resolve
      if (this.#inFlight === 0) resolve()
    })
  }

  /** Destroys connections that their clients have sent nothing on, such as the spare ones of browsers and load balancers. */
  destroyUnused(): void {
    for (const [socket, { handled }] of this.#open) if (handled === 0 && socket.bytesRead === 0) socket.destroy()
  }

  /** Destroys connections on which no request waits for an answer, such as those with half a head of one. */
  destroyWithoutRequest(): void {
    for (const [socket, { current, isEnding }] of this.#open) if (current === undefined && !isEnding) socket.destroy()
  }

  /** Destroys every connection, including those that only wait for their client to close. */
  destroyAll(): void {
    for (const socket of this.#open.keys()) socket.destroy()
  }

  #begin(connection: Connection, exchange: Exchange): void {
    const { req, res } = exchange
    connection.current = exchange
    connection.handled += 1
    const isLast = connection.handled === this.#limits.maxRequestsPerConnection
    if (isLast) this.endAfterThis(req.socket)
    if (isLast || this.#whenIdle !== undefined) res.setHeader('Connection', 'close')
    res.on('close', () => this.#answered(connection, exchange))
    // Lets other connections have a turn when a client sends many requests at once.
    if (connection.handled % REQUESTS_A_TURN === 0) setImmediate(() => this.#handle(req, res))
    else this.#handle(req, res)
  }

  #answered(connection: Connection, { req }: Exchange): void {
    const { socket } = req
    connection.current = undefined
    connection.answeredAtMs = monotonicMs()
    this.#ended(1)
    if (socket.destroyed) return
    // Node has ended the connection after its last answer.
    if (socket.writableEnded) {
      this.#close(connection, socket)
      return
    }
    if (!req.complete && !connection.isEnding) dropRest(req, this.#limits)
    const next = connection.waiting.shift()
    // Not in the context of the request before it.
    if (next !== undefined) this.#outside(() => this.#begin(connection, next))
    else if (connection.refusal !== undefined && !connection.isEnding) {
      this.#refuseNow(connection, socket, connection.refusal)
    }
    const hasRoom = connection.waiting.length < this.#limits.maxPipelined
    if (connection.isPaused && connection.refusal === undefined && hasRoom) {
      connection.isPaused = false
      socket.resume()
    }
  }

  #pause(connection: Connection, socket: Socket): void {
    connection.isPaused = true
    socket.pause()
  }

  #refuseNow(connection: Connection, socket: Socket, refusal: Refusal): void {
    connection.isRefused = true
    socket.write(refusalMessage(refusal, this.#headers))
    this.#close(connection, socket)
  }

  #close(connection: Connection, socket: Socket): void {
    connection.isEnding = true
    connection.isPaused = false
    this.#ended(connection.waiting.splice(0).length)
    closeLingering(socket, this.#limits)
  }

  #ended(count: number): void {
    this.#inFlight -= count
    if (this.#inFlight === 0) this.#whenIdle?.()
  }
}
