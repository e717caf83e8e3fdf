import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Broker } from '../broker.ts'
import { MalformedFrameError } from '../errors.ts'
import { FrameDecoder } from './frame-decoder.ts'
import { answer, type ConnectionContext } from './request.ts'

/** A client that sends ahead is read no further than this many requests. */
const MAX_QUEUED_FRAMES = 64
const KEEP_ALIVE_AFTER_MS = 60_000

/** Told about connections that ended for a reason worth knowing. */
export type OnConnectionError = (error: unknown, remote: string) => void

export interface ConnectionOptions {
  readonly broker: Broker
  readonly socket: Socket
  readonly maxFrameBytes: number
  readonly onError: OnConnectionError
}

/** Serves one client: its requests are answered one after the other, in order, as the protocol promises. */
export function serveConnection({ broker, socket, maxFrameBytes, onError }: ConnectionOptions): void {
  const decoder = new FrameDecoder(maxFrameBytes)
  const closed = new AbortController()
  const queue: Buffer[] = []
  let isBusy = false
  const remote = socket.remoteAddress ?? ''
  const context: ConnectionContext = {
    broker,
    clientHost: `/${remote}`,
    // An IPv4 address seen through an IPv6 socket is given back as IPv4.
    address: { host: (socket.localAddress ?? '').replace('::ffff:', ''), port: socket.localPort ?? 0 },
    signal: closed.signal,
  }

  async function send(parts: readonly Buffer[]): Promise<void> {
    socket.cork()
    let hasRoom = true
    for (const part of parts) hasRoom = socket.write(part)
    socket.uncork()
    // A client that does not read gets no further answers prepared.
    if (!hasRoom) await once(socket, 'drain', { signal: closed.signal })
  }

  async function work(): Promise<void> {
    isBusy = true
    for (let frame = queue.shift(); frame && !closed.signal.aborted; frame = queue.shift()) {
      if (socket.isPaused() && queue.length < MAX_QUEUED_FRAMES) socket.resume()
      const parts = await answer(frame, context)
      if (parts && !closed.signal.aborted) await send(parts)
    }
    isBusy = false
  }

  function fail(error: unknown): void {
    if (!closed.signal.aborted) onError(error, remote)
    socket.destroy()
  }

  socket.setNoDelay(true)
  // Finds out about clients whose machine is gone, so that they do not count as connections for ever.
  socket.setKeepAlive(true, KEEP_ALIVE_AFTER_MS)
  socket.on('data', (chunk: Buffer) => {
    try {
      queue.push(...decoder.push(chunk))
    } catch (error) {
      fail(error)
      return
    }
    if (queue.length >= MAX_QUEUED_FRAMES) socket.pause()
    if (!isBusy) work().catch(fail)
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => closed.abort())
}

/** Whether a connection's end is the client's fault rather than the broker's. */
export function isClientFault(error: unknown): boolean {
  return error instanceof MalformedFrameError
}
