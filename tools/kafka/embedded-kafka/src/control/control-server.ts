import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseJson } from '@taproom/core/limits'
import {
  createWebGuard,
  pathOf,
  type RequestHandler,
  sendJson,
  sendProblem,
  serveRoutes,
  takeBody,
} from '@taproom/http'
import { ControlError, ListenError } from '../errors.ts'
import type { OnConnectionError } from '../network/connection.ts'
import { CONTROL_ROUTES, type Controlled } from './control-routes.ts'

const MAX_BODY_BYTES = 16_384
const MAX_CONNECTIONS = 200
const REQUEST_TIMEOUT_MS = 30_000

export interface ControlServerOptions extends Controlled {
  readonly host: string
  readonly port: number
  /** Names of this machine that requests may have as their Host, besides its own. */
  readonly names: readonly string[]
  /** Called with defects. */
  readonly onError: OnConnectionError
}

export interface ControlServer {
  readonly port: number
  close(): Promise<void>
}

/** @throws {ControlError} when it is too large or no JSON */
function readJson(req: IncomingMessage): Promise<unknown> {
  return new Promise((resolve, reject) => {
    takeBody(req, {
      limitBytes: MAX_BODY_BYTES,
      drainBytes: 4 * MAX_BODY_BYTES,
      onBody: (body) => {
        try {
          resolve(body.length === 0 ? undefined : parseJson(body.toString()))
        } catch (error) {
          reject(new ControlError('body', `body must be JSON: ${error instanceof Error ? error.message : error}`))
        }
      },
      onTooLarge: () => reject(new BodyTooLargeError()),
      onError: reject,
    })
  })
}

class BodyTooLargeError extends Error {}

function routesOf(cluster: Controlled): RequestHandler {
  const handlers = Object.entries(CONTROL_ROUTES).map(([route, handler]): [string, RequestHandler] => [
    route,
    async (req, res, next) => {
      const gone = new AbortController()
      res.on('close', () => gone.abort())
      const body = req.method === 'POST' ? await readJson(req) : undefined
      const query = new URL(req.url ?? '/', 'http://control').searchParams
      const found = await handler({ names: req.route?.params ?? {}, query, body, signal: gone.signal }, cluster)
      if (!found) next()
      else if (found.content) sendJson(res, found.status, found.content)
      else res.writeHead(found.status).end()
    },
  ])
  return serveRoutes(Object.fromEntries(handlers))
}

async function answer(req: IncomingMessage, res: ServerResponse, serve: RequestHandler): Promise<void> {
  const notFound = () => sendProblem(res, { status: 404, detail: `there is no ${pathOf(req.url)} here` })
  await serve(req, res, notFound)
}

function refuse(res: ServerResponse, error: unknown): void {
  if (error instanceof BodyTooLargeError) {
    sendProblem(res, { status: 413, detail: `body must have at most ${MAX_BODY_BYTES} bytes` })
  } else if (error instanceof ControlError) {
    sendProblem(res, { status: 400, detail: error.message, members: { field: error.field } })
  } else if (error instanceof ListenError) {
    sendProblem(res, { status: 409, detail: error.message })
  } else if (error instanceof URIError || (error instanceof TypeError && 'code' in error)) {
    sendProblem(res, { status: 400, detail: 'the path cannot be read', members: { field: 'path' } })
  } else {
    sendProblem(res, { status: 500 })
  }
}

/**
 * Serves the control API.
 * @throws {ListenError} when the address is taken or not of this machine
 */
export async function listenForControl(options: ControlServerOptions): Promise<ControlServer> {
  const { host, port, names, onError } = options
  const serve = routesOf(options)
  const pages = createWebGuard({ names, namesFrom: 'advertisedListeners (KAFKA_ADVERTISED_LISTENERS)' })
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    (req, res) => {
      const refusal = pages.refusal(req)
      if (refusal !== undefined) return sendProblem(res, refusal)
      answer(req, res, serve).catch((error: unknown) => {
        refuse(res, error)
        if (res.statusCode === 500) onError(error, req.socket.remoteAddress ?? '')
      })
    },
  )
  server.maxConnections = MAX_CONNECTIONS
  try {
    await once(server.listen(port, host), 'listening')
  } catch (cause) {
    throw new ListenError(`cannot listen on ${host}:${port} for control: ${(cause as Error).message}`, { cause })
  }
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
