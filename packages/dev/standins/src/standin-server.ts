import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { httpAddress } from '@taproom/http'
import { listen } from '@taproom/service'

export interface StandinOptions {
  /** Default 0: any free port. */
  readonly port?: number | undefined
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string | undefined
}

/** A running stand-in for a remote service; disposing of it closes the port. */
export interface Standin extends AsyncDisposable {
  /** Base address to put into `FILM_SERVICE_URL` or `BEER_SERVICE_URL`, without a slash at the end. */
  readonly url: string
  readonly port: number
}

/** Answer to a request; `json` is the body. */
export interface StandinAnswer {
  readonly status: number
  readonly headers?: OutgoingHttpHeaders
  readonly json?: unknown
}

/** Listens and answers every request; `basePath` is the path of the base address, such as `/api`. */
export async function startStandinServer(
  options: StandinOptions & { readonly basePath: string },
  answer: (request: IncomingMessage, url: URL) => StandinAnswer,
): Promise<Standin> {
  const host = options.host ?? '127.0.0.1'
  const server = await listen(
    (request, response) => {
      request.resume()
      const url = urlOf(request)
      const { status, headers, json } = url ? answer(request, url) : { status: 400 }
      if (json === undefined) return void response.writeHead(status, headers).end()
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(json))
    },
    { host, port: options.port ?? 0 },
  )
  return {
    url: httpAddress(host, server.port) + options.basePath,
    port: server.port,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** The URL of a request; `//elsewhere/` is a path here. Null when it is invalid. */
function urlOf({ url = '/' }: IncomingMessage): URL | null {
  return URL.parse(url.startsWith('/') ? `http://standin${url}` : url)
}
