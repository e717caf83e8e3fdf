import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createReverseProxy, ProxyError, type ReverseProxyOptions, type Route } from '../src/index.ts'

/** A service on a bare socket: it records each byte that it gets, and answers as the test says. */
export async function startBackend(
  onData: (socket: Socket, connection: Received, count: number) => void = answerWhole,
) {
  const connections: Received[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const received: Received = { text: '' }
    const count = connections.push(received)
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => {
      received.text += chunk.toString('latin1')
      onData(socket, received, count)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    connections,
    sockets,
    get received() {
      return connections.map(({ text }) => text).join('')
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** What came over one connection, as Latin-1. */
export interface Received {
  text: string
}

/** Answers each request that has arrived completely with 200, as a strict server counts them. */
export function answerWhole(socket: Socket, received: Received): void {
  const answers = requestsIn(received.text).length - (answered.get(received) ?? 0)
  answered.set(received, (answered.get(received) ?? 0) + answers)
  for (let index = 0; index < answers; index += 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
}

const answered = new WeakMap<Received, number>()

/** A request as it stands on the wire. */
export interface WireRequest {
  readonly line: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/**
 * The complete requests in the text of a connection.
 * @throws {Error} when one has several framings, or a body without any
 */
export function requestsIn(text: string): WireRequest[] {
  const requests: WireRequest[] = []
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return requests
    const [line = '', ...lines] = rest.slice(0, end).split('\r\n')
    if (!/^[A-Z-]+ \S+ HTTP\/1\.1$/.test(line)) throw new Error(`not a request line: ${JSON.stringify(line)}`)
    const headers = lines.map(
      (header) => [header.slice(0, header.indexOf(':')).toLowerCase(), header.slice(header.indexOf(':') + 2)] as const,
    )
    const framings = headers.filter(([name]) => name === 'content-length' || name === 'transfer-encoding')
    if (framings.length > 1) throw new Error(`more than one framing: ${JSON.stringify(framings)}`)
    rest = rest.slice(end + 4)
    const [name, value = '0'] = framings[0] ?? []
    const body = name === 'transfer-encoding' ? chunkedBody(rest) : bodyOf(rest, Number(value))
    if (body === undefined) return requests
    rest = rest.slice(body.length)
    requests.push({ line, headers, body: body.content })
  }
  return requests
}

function bodyOf(text: string, length: number) {
  return text.length < length ? undefined : { length, content: text.slice(0, length) }
}

function chunkedBody(text: string) {
  let at = 0
  let content = ''
  for (;;) {
    const [line] = /^[\da-f]+\r\n/.exec(text.slice(at, at + 20)) ?? []
    if (line === undefined) return undefined
    const size = Number.parseInt(line, 16)
    if (text.length < at + line.length + size + 2) return undefined
    content += text.slice(at + line.length, at + line.length + size)
    at += line.length + size + 2
    if (size === 0) return { length: at, content }
  }
}

/** A reverse proxy in front of one port, or of the upstreams that `next` returns. */
export async function startProxy(
  port: number,
  options: Partial<ReverseProxyOptions> = {},
  next: Route['next'] = () => ({ host: '127.0.0.1', port }),
) {
  const proxy = createReverseProxy({ position: 'edge', ...options })
  const errors: unknown[] = []
  const server = createHttpServer({ requireHostHeader: false }, (req, res) => {
    proxy.forward(req, res, { path: req.url ?? '/', host: req.headers.host, next }).catch((error: unknown) => {
      errors.push(error)
      res.writeHead(error instanceof ProxyError ? error.status : 500, { connection: 'close' })
      res.end(error instanceof Error ? error.message : '')
    })
  })
  server.maxHeadersCount = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    proxy,
    errors,
    async [Symbol.asyncDispose]() {
      proxy[Symbol.dispose]()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Sends bytes and returns everything that comes back until `isWhole` says that it is complete. */
export async function sendRaw(
  port: number,
  bytes: string,
  isWhole: (answer: string) => boolean = () => false,
): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1')
    if (isWhole(answer)) socket.destroy()
  })
  socket.write(Buffer.from(bytes, 'latin1'))
  await once(socket, 'close')
  return answer
}

/** True once there are `count` answers with the body `ok`. */
export const answers = (count: number) => (text: string) =>
  text.split('\r\n\r\nok').length > count || / [45]\d\d /.test(text)
