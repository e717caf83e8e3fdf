import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A foreign HTTP service that a test controls. */
export interface TestHttpServer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** The requests so far, in order. */
  readonly requests: readonly {
    readonly method: string
    readonly url: string
    readonly headers: IncomingMessage['headers']
  }[]
}

/** Starts an HTTP server on 127.0.0.1; disposing of it breaks every connection. */
export async function startHttpServer(handler: RequestListener, { port = 0 } = {}): Promise<TestHttpServer> {
  const requests: TestHttpServer['requests'][number][] = []
  const server = createServer((req, res) => {
    requests.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers })
    handler(req, res)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    requests,
    async [Symbol.asyncDispose]() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
