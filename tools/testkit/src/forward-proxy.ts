import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TestCertificate } from './certificates.ts'

/** An outbound proxy, as companies have one. */
export interface ForwardProxy extends AsyncDisposable {
  readonly url: string
  /** The request lines so far without the version: `GET http://films.test/a`, `CONNECT films.test:443`. */
  readonly requests: readonly string[]
  /** The header `proxy-authorization` of the latest request. */
  readonly authorization: string | undefined
}

interface ForwardProxyOptions {
  /** Default: the proxy speaks without TLS. */
  readonly tls?: TestCertificate
  /** Answers every request with this status instead of passing it on; 0 never answers. */
  readonly refusal?: number
}

/** Passes requests on (`GET http://…`, `CONNECT`) to the port they name on this machine, whatever their host is. */
export async function startForwardProxy({ tls, refusal }: ForwardProxyOptions = {}): Promise<ForwardProxy> {
  const requests: string[] = []
  let authorization: string | undefined
  const note = ({ method, url, headers }: IncomingMessage) => {
    requests.push(`${method} ${url}`)
    authorization = headers['proxy-authorization']
  }
  const server = tls === undefined ? createServer() : createSecureServer({ cert: tls.certificate, key: tls.key })
  const sockets = new Set<Duplex>()
  const kept = <S extends Duplex>(socket: S) => {
    sockets.add(socket.on('error', () => socket.destroy()))
    return socket.once('close', () => sockets.delete(socket))
  }
  server.on('connection', kept)
  server.on('request', (req: IncomingMessage, res) => {
    note(req)
    if (refusal !== undefined) {
      if (refusal > 0) res.writeHead(refusal).end()
      return
    }
    const { port, pathname, search } = new URL(req.url ?? '')
    const { 'proxy-authorization': _, ...headers } = req.headers
    const asked = {
      host: '127.0.0.1',
      port: port || 80,
      path: pathname + search,
      method: req.method,
      headers,
      agent: false,
    }
    const outgoing = request(asked, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(res)
    })
    req.pipe(outgoing.on('error', () => res.writeHead(502).end()))
  })
  server.on('connect', (req: IncomingMessage, socket: Duplex) => {
    note(req)
    kept(socket)
    if (refusal !== undefined) {
      if (refusal > 0) socket.end(`HTTP/1.1 ${refusal} Refused\r\nContent-Length: 0\r\n\r\n`)
      return
    }
    const upstream = kept(connect(Number(req.url?.split(':').at(-1)), '127.0.0.1'))
    upstream.once('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    upstream.once('close', () => socket.destroy())
    socket.once('close', () => upstream.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http${tls === undefined ? '' : 's'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get authorization() {
      return authorization
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
