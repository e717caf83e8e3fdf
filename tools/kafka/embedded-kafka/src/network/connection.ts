import type { Socket } from 'node:net'
import { pause } from '@taproom/core/time'
import type { Broker } from '../broker/broker.ts'
import type { Client } from '../broker/clients.ts'
import { type AuthenticationError, ConnectionLimitError } from '../errors.ts'
import { API_VERSIONS } from '../protocol/api-versions.ts'
import type { ClientSession } from '../security/session.ts'
import { bufferPool } from '../storage/buffer-pool.ts'
import { Turn } from '../turn.ts'
import { FrameDecoder } from './frame-decoder.ts'
import type { HeldBytes, Holder } from './held-bytes.ts'
import type { Advertised } from './listener-plan.ts'
import { answer, type ConnectionContext } from './request.ts'
import { RequestQueue } from './request-queue.ts'

const KEEP_ALIVE_AFTER_MS = 60_000

/** Called with the reason when a connection ends because of an error, and the client's address. */
export type OnConnectionError = (error: unknown, remote: string) => void

export interface ConnectionLimits {
  readonly maxFrameBytes: number
  /** How long a request may take to arrive, and an answer to be read, in milliseconds. */
  readonly slowClientMs: number
  /** Milliseconds without a request after which the connection is closed. */
  readonly idleMs: number
}

export interface ConnectionOptions {
  readonly broker: Broker
  readonly socket: Socket
  /** The listener's name. */
  readonly listener: string
  /** What clients are told as the broker's address. */
  readonly advertised: Advertised
  /** Who the client is, or how it has to say so. */
  readonly session: ClientSession
  readonly limits: ConnectionLimits
  /** Shared by all connections. */
  readonly held: HeldBytes
  readonly onError: OnConnectionError
}

/** Serves one client: its requests are answered one after the other, in order, as the protocol promises. */
export function serveConnection(options: ConnectionOptions): void {
  new Connection(options).start()
}

class Connection implements Holder {
  readonly #options: ConnectionOptions
  readonly #socket: Socket
  readonly #remote: string
  readonly #decoder: FrameDecoder
  readonly #client: Client
  readonly #context: ConnectionContext
  readonly #closed = new AbortController()
  readonly #queue = new RequestQueue()
  /** Bytes of the answer that the client is still reading. */
  #answerBytes = 0
  #isBusy = false
  /** Runs while a request is arriving in parts. */
  #lateRequest: NodeJS.Timeout | undefined
  /** Runs until the client has authenticated. */
  #lateAuthentication: NodeJS.Timeout | undefined

  constructor(options: ConnectionOptions) {
    const { broker, socket, listener, advertised, session } = options
    this.#options = options
    this.#socket = socket
    this.#remote = socket.remoteAddress ?? ''
    this.#decoder = new FrameDecoder(this.#maxFrameBytes)
    this.#client = { clientId: '', host: this.#remote, listener, nodeId: broker.nodeId, drop: () => this.#cut() }
    this.#context = {
      broker,
      client: this.#client,
      listener,
      clientHost: `/${this.#remote}`,
      address: {
        // An IPv4 address seen through an IPv6 socket is given back as IPv4.
        host: advertised.host ?? (socket.localAddress ?? '').replace('::ffff:', ''),
        port: advertised.port ?? socket.localPort ?? 0,
      },
      session,
      signal: this.#closed.signal,
    }
  }

  /** Whoever has not authenticated gets little room. */
  get #maxFrameBytes(): number {
    const { session, limits } = this.#options
    return Math.min(limits.maxFrameBytes, session.maxReceiveBytes)
  }

  start(): void {
    const socket = this.#socket
    if (!this.#options.session.isAuthenticated) {
      this.#lateAuthentication = this.#failLater('the client had not authenticated')
    }
    socket.setNoDelay(true)
    // Notices clients whose machine is gone, which would otherwise count as connections for ever.
    socket.setKeepAlive(true, KEEP_ALIVE_AFTER_MS)
    socket.setTimeout(this.#options.limits.idleMs, () => {
      if (!this.#isBusy) socket.destroy()
    })
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#end())
    this.#options.broker.clients.add(this.#client)
  }

  drop(): void {
    this.#fail(new ConnectionLimitError('holds more than any other while all hold too much'))
  }

  get #isClosed(): boolean {
    return this.#closed.signal.aborted || this.#socket.destroyed
  }

  #receive(chunk: Buffer): void {
    try {
      for (const frame of this.#decoder.push(chunk)) this.#queue.add(frame)
    } catch (error) {
      this.#fail(error)
      return
    }
    if (this.#queue.isFull) this.#socket.pause()
    this.#watchRequest()
    this.#account()
    if (!this.#isBusy) this.#work().catch((error: unknown) => this.#fail(error))
  }

  /** Starts or ends the time limit for the request that is arriving. */
  #watchRequest(): void {
    if (!this.#decoder.isWithinFrame || this.#socket.isPaused() || this.#isClosed) {
      clearTimeout(this.#lateRequest)
      this.#lateRequest = undefined
      return
    }
    this.#lateRequest ??= this.#failLater('a request was not whole')
  }

  #failLater(problem: string): NodeJS.Timeout {
    const { slowClientMs } = this.#options.limits
    return setTimeout(() => this.#fail(new ConnectionLimitError(`${problem} after ${slowClientMs} ms`)), slowClientMs)
  }

  #account(): void {
    if (this.#isClosed) return
    this.#options.held.set(this, this.#decoder.heldBytes + this.#queue.bytes + this.#answerBytes)
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    const { session } = this.#options
    const turn = new Turn()
    for (let frame = this.#take(); frame && !this.#isClosed; frame = this.#take()) {
      const { parts, throttleMs } = await answer(frame, this.#context)
      // Produced records are written, or copied into memory. Other requests may be kept, such as the metadata of a group's members.
      if (isProduce(frame)) bufferPool.giveBack(frame)
      await this.#followSession()
      if (parts && !this.#isClosed) await this.#send(parts)
      if (session.failure) this.#endAfterAnswer(session.failure)
      // Over its quotas it is not heard; the answer has told it for how long (KIP-219).
      if (throttleMs > 0) await pause(throttleMs, this.#closed.signal)
      await turn.giveWay()
    }
    this.#isBusy = false
    this.#account()
  }

  /** Gives a client that has authenticated its room, and lets one that failed wait, so that guessing takes time. */
  async #followSession(): Promise<void> {
    const { session } = this.#options
    if (session.failure) await pause(session.failureDelayMs, this.#closed.signal)
    if (!session.isAuthenticated) return
    clearTimeout(this.#lateAuthentication)
    this.#decoder.maxFrameBytes = this.#maxFrameBytes
  }

  #endAfterAnswer(error: AuthenticationError): void {
    if (!this.#isClosed) this.#options.onError(error, this.#remote)
    this.#closed.abort()
    this.#socket.end()
  }

  /** The next request; reads more where the queue has room again. */
  #take(): Buffer | undefined {
    const frame = this.#queue.take()
    if (this.#socket.isPaused() && !this.#queue.isFull) {
      this.#socket.resume()
      this.#watchRequest()
    }
    return frame
  }

  async #send(parts: readonly Buffer[]): Promise<void> {
    const socket = this.#socket
    socket.cork()
    const last = parts.length - 1
    const onSent = (error?: Error | null): void => {
      if (!error) for (const part of parts) bufferPool.giveBack(part)
    }
    let hasRoom = true
    for (const [index, part] of parts.entries()) hasRoom = socket.write(part, index === last ? onSent : undefined)
    socket.uncork()
    // No further answers are prepared for a client that does not read.
    if (!hasRoom) await this.#drained()
  }

  #drained(): Promise<void> {
    const socket = this.#socket
    this.#answerBytes = socket.writableLength
    this.#account()
    return new Promise((resolve) => {
      const timer = this.#failLater('an answer was not read')
      const end = (): void => {
        clearTimeout(timer)
        socket.off('drain', end)
        socket.off('close', end)
        this.#answerBytes = 0
        resolve()
      }
      socket.on('drain', end)
      socket.on('close', end)
    })
  }

  #fail(error: unknown): void {
    if (!this.#isClosed) this.#options.onError(error, this.#remote)
    this.#socket.destroy()
  }

  /** Stops the work for this client at once: the socket's event comes later. */
  #cut(): void {
    this.#closed.abort()
    this.#socket.destroy()
  }

  #end(): void {
    this.#closed.abort()
    this.#options.broker.clients.delete(this.#client)
    clearTimeout(this.#lateRequest)
    clearTimeout(this.#lateAuthentication)
    this.#options.held.set(this, 0)
  }
}

function isProduce(frame: Buffer): boolean {
  return frame.length >= 2 && frame.readInt16BE(0) === API_VERSIONS.Produce.key
}
