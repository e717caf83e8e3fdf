import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { SeenRequest } from './seen-request.ts'
import { StrictReader } from './strict-reader.ts'

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: '
/** The body of every answer. */
export const ANSWERED = 'seen'

/** A backend that answers every request and keeps what it got. */
export interface Backend extends AsyncDisposable {
  readonly port: number
  /** Returns whole requests that came since the last call, and why bytes were ambiguous. */
  take(): { readonly requests: readonly SeenRequest[]; readonly faults: readonly string[] }
}

export async function startBackend(): Promise<Backend> {
  const sockets = new Set<Socket>()
  const [requests, faults]: [SeenRequest[], string[]] = [[], []]
  const server = createServer((socket) => {
    const reader = new StrictReader()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.on('data', (bytes: Buffer) => {
      reader.push(bytes)
      const read = reader.requests.splice(0)
      requests.push(...read)
      for (const { method } of read)
        socket.write(`${ANSWER}${ANSWERED.length}\r\n\r\n${method === 'HEAD' ? '' : ANSWERED}`)
      if (reader.fault === undefined) return
      faults.push(reader.fault)
      socket.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    take: () => ({ requests: requests.splice(0), faults: faults.splice(0) }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
