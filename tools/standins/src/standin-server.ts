import type { IncomingMessage, ServerResponse } from 'node:http'
import { httpAddress } from '@taproom/http'
import { listen } from '@taproom/service'
import { CONTROL_PATH, FaultControl } from './fault-control.ts'
import type { StandinAnswer } from './standin-answer.ts'

export interface StandinOptions {
  /** Default 0: any free port. */
  readonly port?: number | undefined
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string | undefined
  /** Whether programs of this machine can have it go wrong, at `/control/fault`. Default false. */
  readonly hasControl?: boolean | undefined
}

/** A running stand-in for a remote service; disposing of it closes the port. */
export interface Standin extends AsyncDisposable {
  /** Base address to put into `FILM_SERVICE_URL` or `BEER_SERVICE_URL`, without a slash at the end. */
  readonly url: string
  readonly port: number
}

/** Listens and answers every request; `basePath` is the path of the base address, such as `/api`. */
export async function startStandinServer(
  options: StandinOptions & { readonly basePath: string },
  answer: (request: IncomingMessage, url: URL) => StandinAnswer,
): Promise<Standin> {
  const host = options.host ?? '127.0.0.1'
  const control = options.hasControl === true ? new FaultControl() : undefined
  const answerTo = async (request: IncomingMessage, signal: AbortSignal): Promise<StandinAnswer | undefined> => {
    const url = urlOf(request)
    if (control !== undefined && url?.pathname === CONTROL_PATH) return control.answer(request)
    request.resume()
    const right = url ? answer(request, url) : { status: 400 }
    return control === undefined ? right : control.spoil(right, signal)
  }
  const server = await listen(
    (request, response) => {
      const gone = new AbortController()
      response.once('close', () => gone.abort())
      answerTo(request, gone.signal).then(
        (found) => found && send(response, found),
        // The caller left before the end of its body.
        () => response.destroy(),
      )
    },
    { host, port: options.port ?? 0 },
  )
  return {
    url: httpAddress(host, server.port) + options.basePath,
    port: server.port,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function send(response: ServerResponse, { status, headers, json, text = JSON.stringify(json) }: StandinAnswer): void {
  if (text === undefined) response.writeHead(status, headers).end()
  else response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text)
}

/** The URL of a request; `//elsewhere/` is a path here. Null when it is invalid. */
function urlOf({ url = '/' }: IncomingMessage): URL | null {
  return URL.parse(url.startsWith('/') ? `http://standin${url}` : url)
}
