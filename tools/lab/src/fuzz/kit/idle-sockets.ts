import type { Socket } from 'node:net'

/** Connections that are used again. */
export class IdleSockets implements Disposable {
  readonly #idle: Socket[] = []

  /** Keeps a connection when it may be used again, else resets it: a run needs more connections than there are ports. */
  give(socket: Socket, mayBeKept: boolean): void {
    socket.removeAllListeners()
    socket.on('error', () => socket.destroy())
    if (mayBeKept && socket.writable) this.#idle.push(socket)
    else socket.resetAndDestroy()
  }

  take(): Socket | undefined {
    for (let socket = this.#idle.pop(); socket !== undefined; socket = this.#idle.pop()) {
      if (!socket.destroyed && socket.readable) return socket
    }
    return undefined
  }

  [Symbol.dispose](): void {
    for (const socket of this.#idle) socket.destroy()
  }
}
