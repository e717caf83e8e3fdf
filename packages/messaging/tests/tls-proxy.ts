import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { createServer, type TlsOptions } from 'node:tls'

/** TLS in front of a broker that has none. Clients get its address wherever the broker names its own. */
export interface TlsProxy extends AsyncDisposable {
  readonly bootstrapServers: string
  /** For connections from now on; those there are end. */
  use(options: TlsOptions): void
  /** Whether connections end in the middle of the handshake, from now on. */
  dropHandshakes: boolean
}

export async function startTlsProxy(broker: { readonly port: number }, options: TlsOptions): Promise<TlsProxy> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  let port = 0
  let dropHandshakes = false
  const server = createServer(options, (client) => {
    const upstream = connect({ host: '127.0.0.1', port: broker.port })
    keep(client)
    keep(upstream)
    client.pipe(upstream)
    upstream.on('data', (bytes) => client.write(withPort(bytes, broker.port, port)))
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
  })
  server.on('connection', (socket: Socket) => {
    keep(socket)
    if (dropHandshakes) socket.destroy()
  })
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    bootstrapServers: `localhost:${port}`,
    use(next) {
      server.setSecureContext(next)
      cut()
    },
    get dropHandshakes() {
      return dropHandshakes
    },
    set dropHandshakes(isWanted: boolean) {
      dropHandshakes = isWanted
      cut()
    },
    async [Symbol.asyncDispose]() {
      server.close()
      cut()
      await once(server, 'close')
    },
  }
}

/** In every answer of Kafka the port comes as four bytes behind the host. */
function withPort(bytes: Buffer, from: number, to: number): Buffer {
  const [known, wanted] = [from, to].map((port) =>
    Buffer.from([...Buffer.from('127.0.0.1'), 0, 0, port >> 8, port & 255]),
  )
  for (let at = bytes.indexOf(known ?? ''); at !== -1; at = bytes.indexOf(known ?? '', at + 1)) wanted?.copy(bytes, at)
  return bytes
}
