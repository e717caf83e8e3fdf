import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Passes bytes on until they are to be swallowed, like a broken network; those of a new connection after `connectMs` only. */
export async function startProxy(target: URL, { connectMs = 0 } = {}) {
  let isLost = false
  const sockets = new Set<Socket>()
  const server = createServer({ pauseOnConnect: true }, (client) => {
    sockets.add(client.on('error', () => undefined))
    setTimeout(() => {
      if (client.destroyed) return
      pass(client)
      client.resume()
    }, connectMs)
  })
  function pass(client: Socket): void {
    const upstream = connect(Number(target.port), target.hostname)
    const to = (socket: Socket) => (chunk: Buffer) => {
      if (!isLost) socket.write(chunk)
    }
    client.on('data', to(upstream))
    upstream.on('data', to(client))
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => other.destroy())
    }
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: String((server.address() as AddressInfo).port),
    loseEverything: (lost: boolean) => {
      isLost = lost
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
