import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach } from 'vitest'
import { type ListenOptions, listen } from '../src/index.ts'

const opened: AsyncDisposable[] = []
afterEach(async () => {
  for (const resource of opened.splice(0).reverse()) await resource[Symbol.asyncDispose]()
})

/** Listens until the test is over. */
export async function start(handler: RequestListener, options: Partial<ListenOptions> = {}) {
  const server = await listen(handler, { host: '127.0.0.1', port: 0, drainMs: 100, ...options })
  opened.push(server)
  return server
}

/** A connection until the test is over. */
export function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  opened.push({ [Symbol.asyncDispose]: async () => void socket.destroy() })
  return socket
}

/** The whole answer, and how the connection ended. */
export async function answerOf(socket: Socket) {
  let answer = ''
  let error: unknown
  socket.on('error', (thrown) => {
    error = thrown
  })
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1')
  })
  await new Promise((resolve) => socket.once('close', resolve))
  return { answer, error }
}

/** Sends bytes and returns the whole answer. */
export async function raw(port: number, bytes: string): Promise<string> {
  const socket = open(port)
  socket.write(bytes)
  return (await answerOf(socket)).answer
}

/** Waits until no more of the client's bytes are read. */
export async function untilStuck(client: Socket): Promise<void> {
  let last = -1
  for (let turns = 0; turns < 200; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    const sent = client.bytesWritten - client.writableLength
    if (sent !== last) turns = 0
    last = sent
  }
}

/** The head of a GET. */
export const request = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
