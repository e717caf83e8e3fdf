import { connect, type Socket } from 'node:net'

export interface FrameClient extends Disposable {
  /**
   * Sends bytes that begin with a frame; resolves with the first answer, or with undefined when the broker closes the connection or is
   * silent for `quietMs`: it wants more bytes, or waits for records. Default 60 ms.
   */
  exchange(bytes: Buffer, quietMs?: number): Promise<Buffer | undefined>
}

export function createFrameClient(port: number): FrameClient {
  const idle: Socket[] = []

  function exchange(bytes: Buffer, quietMs = 60): Promise<Buffer | undefined> {
    const socket = takeIdle() ?? connect({ port, host: '127.0.0.1', noDelay: true })
    return new Promise((resolve) => {
      let received = Buffer.alloc(0)
      const finish = (answer: Buffer | undefined) => {
        clearTimeout(timer)
        socket.removeAllListeners()
        socket.on('error', () => socket.destroy())
        if (answer !== undefined && socket.writable) idle.push(socket)
        else socket.resetAndDestroy()
        resolve(answer)
      }
      const timer = setTimeout(() => finish(undefined), quietMs)
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk])
        if (received.length >= 4 && received.length >= 4 + received.readInt32BE()) finish(received.subarray(4))
      })
      socket.on('close', () => finish(undefined))
      socket.on('error', () => finish(undefined))
      socket.write(bytes)
    })
  }

  function takeIdle(): Socket | undefined {
    for (let socket = idle.pop(); socket !== undefined; socket = idle.pop()) {
      if (!socket.destroyed && socket.readable) return socket
    }
    return undefined
  }

  return {
    exchange,
    [Symbol.dispose]() {
      for (const socket of idle) socket.destroy()
    },
  }
}
