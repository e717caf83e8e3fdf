import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A stand-in for a remote service that listens; disposing it closes the port and every connection. */
export interface Standin extends AsyncDisposable {
  /** Base address to put into `FILM_SERVICE_URL` or `BEER_SERVICE_URL`, without a slash at the end. */
  readonly url: string
  readonly port: number
}

/** What a stand-in answers to one request. */
export interface StandinAnswer {
  readonly status: number
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string
}

export interface StandinServerOptions {
  readonly host?: string | undefined
  readonly port?: number | undefined
  /** Path of the base address, such as `/api`. */
  readonly basePath: string
  /** `strong` as Django tags its answers, `weak` as Express does. */
  readonly etag: 'strong' | 'weak'
  answer(request: IncomingMessage, url: URL): StandinAnswer
}

/** Listens and answers every request; GET answers carry an ETag and turn into 304 when the client has them. */
export async function startStandinServer(options: StandinServerOptions): Promise<Standin> {
  const host = options.host ?? '127.0.0.1'
  const server = createServer((request, response) => {
    request.resume()
    const url = URL.parse(request.url ?? '/', `http://${request.headers.host ?? host}`)
    send(request, response, url ? options.answer(request, url) : { status: 400 }, options.etag)
  })
  server.listen(options.port ?? 0, host)
  await new Promise<void>((resolve, reject) => server.once('listening', resolve).once('error', reject))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}${options.basePath}`,
    port,
    async [Symbol.asyncDispose]() {
      if (!server.listening) return
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

function send(request: IncomingMessage, response: ServerResponse, answer: StandinAnswer, etagKind: 'strong' | 'weak') {
  const body = Buffer.from(answer.body ?? '')
  const headers: OutgoingHttpHeaders = { ...answer.headers }
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (isRead && answer.status === 200) {
    const hash = `"${createHash('md5').update(body).digest('hex')}"`
    const etag = etagKind === 'weak' ? `W/${hash}` : hash
    headers['ETag'] = etag
    if (request.headers['if-none-match'] === etag) {
      delete headers['Content-Type']
      response.writeHead(304, headers).end()
      return
    }
  }
  headers['Content-Length'] = body.length
  response.writeHead(answer.status, headers)
  response.end(request.method === 'HEAD' ? undefined : body)
}
