import { createHash } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { httpAddress } from '@taproom/http'
import { listen } from '@taproom/service'

/** A stand-in for a remote service that listens; disposing of it closes the port. */
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
  const server = await listen(
    (request, response) => {
      request.resume()
      const url = urlOf(request, host)
      send(request, response, url ? options.answer(request, url) : { status: 400 }, options.etag)
    },
    { host, port: options.port ?? 0 },
  )
  return {
    url: httpAddress(host, server.port) + options.basePath,
    port: server.port,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** The address as the caller sees it, on the host that it asked: `//elsewhere/` is a path here. Null when it is none. */
function urlOf({ url = '/', headers }: IncomingMessage, host: string): URL | null {
  const base = `http://${headers.host || host}`
  if (url.startsWith('/')) return URL.parse(base + url)
  const absolute = URL.parse(url)
  return absolute && URL.parse(base + absolute.pathname + absolute.search)
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
