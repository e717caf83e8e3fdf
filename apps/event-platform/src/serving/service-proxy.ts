import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { HttpProblem } from '@taproom/service'
import type { Request, Response } from 'express'
import { isConnectionRefused, UnavailableError } from './errors.ts'
import type { Lease } from './instance-pool.ts'
import type { Serving } from './serving.ts'

/** Hands requests on to a service's instances. */
export interface ServiceProxy extends Disposable {
  /** Sends a request to a service, untouched but for its path, and its answer back; the service is woken if it sleeps. */
  handle(service: ServiceName, path: string, req: Request, res: Response): Promise<void>
}

interface ServiceName {
  readonly namespace: string
  readonly name: string
}

/** Belong to one connection, not to the message. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** A proxy with a pool of connections to instances. */
export function createServiceProxy(serving: Serving): ServiceProxy {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 })

  const exchange = (lease: Lease, path: string, req: Request, res: ServerResponse, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const upstream = httpRequest(
        `${lease.url}${path}`,
        { method: req.method, headers: endToEnd(req.rawHeaders), agent, signal, setHost: false },
        (answer: IncomingMessage) => {
          res.writeHead(answer.statusCode ?? 502, endToEnd(answer.rawHeaders))
          pipeline(answer, res).then(resolve, reject)
        },
      )
      upstream.once('error', reject)
      // Nothing of the request is taken before there is a connection: without one it can still go elsewhere.
      upstream.once('socket', (socket) => {
        // A sink may answer before it has read everything; then its answer counts, not the rest of the request.
        const sendBody = () => void pipeline(req, upstream).catch(() => {})
        if (socket.connecting) socket.once('connect', sendBody)
        else sendBody()
      })
    })

  /** Takes another instance when nothing listens at the first one any more. */
  const handOn = async (service: ServiceName, path: string, req: Request, res: ServerResponse, signal: AbortSignal) => {
    for (;;) {
      const lease = await serving.acquire(service.namespace, service.name, signal)
      try {
        await exchange(lease, path, req, res, signal)
        return
      } catch (error) {
        if (!isConnectionRefused(error)) throw error
        lease.discard()
      } finally {
        lease.release()
      }
    }
  }

  return {
    async handle(service, path, req, res) {
      const { namespace, name } = service
      const timeoutMs = serving.timeoutMs(namespace, name)
      if (timeoutMs === undefined) throw new HttpProblem(404, { detail: `there is no service ${namespace}/${name}` })
      const gone = new AbortController()
      res.once('close', () => gone.abort())
      const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(timeoutMs)])
      try {
        await handOn(service, path, req, res, signal)
      } catch (error) {
        if (res.headersSent || gone.signal.aborted) res.destroy()
        else throw asProblem(error, name, signal.aborted)
      }
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}

function asProblem(cause: unknown, service: string, isLate: boolean): HttpProblem {
  if (cause instanceof UnavailableError) {
    const headers = { 'retry-after': String(cause.retryAfterSeconds) }
    return new HttpProblem(503, { detail: cause.message, headers, cause })
  }
  return new HttpProblem(isLate ? 504 : 502, {
    detail: `service ${service} did not answer${isLate ? ' in time' : ''}`,
    cause,
  })
}

/** Header lines as they came, in their order and spelling, without those that belong to the connection. */
function endToEnd(rawHeaders: readonly string[]): string[] {
  const headers: string[] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name, value] = [rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']
    if (!HOP_BY_HOP.has(name.toLowerCase())) headers.push(name, value)
  }
  return headers
}
