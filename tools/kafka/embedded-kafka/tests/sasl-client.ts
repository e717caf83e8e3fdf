import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection that sends what it likes. */
export interface RawClient extends AsyncDisposable {
  readonly socket: Socket
  /** Sends a request with this body and gives the body of the answer, behind the correlation id; undefined: the connection was ended. */
  ask(key: number, version: number, body?: Buffer): Promise<Buffer | undefined>
  /** Sends a frame as it is. */
  askRaw(body: Buffer): Promise<Buffer | undefined>
}

export const [METADATA, HANDSHAKE, API_VERSIONS, AUTHENTICATE] = [3, 17, 18, 36] as const

const int16 = (value: number) => Buffer.from([(value >> 8) & 255, value & 255])

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

export const text = (value: string) => Buffer.concat([int16(value.length), Buffer.from(value)])
export const bytes = (value: string) => Buffer.concat([int32(value.length), Buffer.from(value)])
/** The error code that most answers begin with. */
export const codeOf = (answer: Buffer | undefined) => answer?.readInt16BE(0)

export async function openRawClient(port: number): Promise<RawClient> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  let received = Buffer.alloc(0)
  const frames: Buffer[] = []
  const waiting: ((frame: Buffer | undefined) => void)[] = []
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    while (received.length >= 4 && received.length >= 4 + received.readInt32BE(0)) {
      const end = 4 + received.readInt32BE(0)
      const frame = received.subarray(4, end)
      received = received.subarray(end)
      const next = waiting.shift()
      if (next) next(frame)
      else frames.push(frame)
    }
  })
  socket.on('close', () => {
    for (const each of waiting) each(undefined)
  })
  const askRaw = (body: Buffer) => {
    if (socket.destroyed) return Promise.resolve(undefined)
    const answer = new Promise<Buffer | undefined>((resolve) => waiting.push(resolve))
    socket.write(Buffer.concat([int32(body.length), body]))
    return answer
  }
  return {
    socket,
    askRaw,
    async ask(key, version, body = Buffer.alloc(0)) {
      const header = Buffer.concat([int16(key), int16(version), int32(7), int16(-1)])
      return (await askRaw(Buffer.concat([header, body])))?.subarray(4)
    },
    async [Symbol.asyncDispose]() {
      socket.destroy()
    },
  }
}
