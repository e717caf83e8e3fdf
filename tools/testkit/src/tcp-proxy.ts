import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A network between a client and a server, which may lose what is sent without a sign of it. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: string
  /** Swallows all bytes, of new connections as well, until it is called with false. */
  loseEverything(isLost: boolean): void
  /** Swallows all further bytes of the connections that are open; new ones work. So a failover looks that moves an address. */
  cutSilently(): void
}

/** Passes bytes on to `target`; those of a new connection after `connectMs` only. */
export async function startTcpProxy(target: URL, { connectMs = 0 } = {}): Promise<TcpProxy> {
  let isLost = false
  const cut = new WeakSet<Socket>()
  const sockets = new Set<Socket>()
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (client) => {
    sockets.add(client.on('error', () => undefined))
    setTimeout(() => {
      if (client.destroyed) return
      pass(client)
      client.resume()
    }, connectMs)
  })
  function pass(client: Socket): void {
    const upstream = connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true })
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      const passesOn = () => !isLost && !cut.has(socket)
      socket.on('data', (chunk: Buffer) => {
        if (passesOn()) other.write(chunk)
      })
      // The end of a connection is lost like its bytes.
      socket.on('end', () => {
        if (passesOn()) other.end()
      })
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        if (!cut.has(other)) other.destroy()
      })
    }
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: String((server.address() as AddressInfo).port),
    loseEverything(lost) {
      isLost = lost
    },
    cutSilently() {
      for (const socket of sockets) cut.add(socket)
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
