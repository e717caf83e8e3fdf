import { connect } from 'node:net'
import { IdleSockets } from '../kit/idle-sockets.ts'

export interface FrameClient extends Disposable {
  /**
   * Sends bytes that begin with a frame; resolves with the first answer, or with undefined when the broker closes the connection or is
   * silent for `quietMs`: it wants more bytes, or waits for records. Default 60 ms.
   */
  exchange(bytes: Buffer, quietMs?: number): Promise<Buffer | undefined>
}

/** True when the bytes are exactly one frame: further bytes would begin the next frame of the connection. */
function isFrame(bytes: Buffer): boolean {
  return bytes.length >= 4 && bytes.length === 4 + bytes.readInt32BE()
}

export function createFrameClient(port: number): FrameClient {
  const idle = new IdleSockets()
  return {
    exchange(bytes, quietMs = 60) {
      const socket = idle.take() ?? connect({ port, host: '127.0.0.1', noDelay: true })
      return new Promise((resolve) => {
        let received = Buffer.alloc(0)
        const finish = (answer?: Buffer) => {
          clearTimeout(timer)
          idle.give(socket, answer !== undefined && isFrame(bytes) && isFrame(received))
          resolve(answer)
        }
        const timer = setTimeout(finish, quietMs)
        socket.on('data', (chunk: Buffer) => {
          received = Buffer.concat([received, chunk])
          if (received.length >= 4 && received.length >= 4 + received.readInt32BE()) finish(received.subarray(4))
        })
        socket.on('close', () => finish())
        socket.on('error', () => finish())
        socket.write(bytes)
      })
    },
    [Symbol.dispose]: () => idle[Symbol.dispose](),
  }
}
