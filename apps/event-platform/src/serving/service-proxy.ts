import { createReverseProxy, ProxyError, type Upstream } from '@taproom/http'
import { HttpProblem } from '@taproom/service'
import type { Request, Response } from 'express'
import { type NamespacedName, nameText } from '../resources/object.ts'
import { UnavailableError } from './errors.ts'
import type { Serving } from './serving.ts'

export type ServiceProxy = ReturnType<typeof createServiceProxy>

/** A killed instance closes its connections slightly before its end is noticed. */
const ENDING_MS = 200

/**
 * A proxy that pools connections to instances. When an instance turns out to be gone before it had the request, or closed the kept-alive
 * connection, the request waits for another one, as at zero.
 */
export function createServiceProxy(serving: Serving) {
  const proxy = createReverseProxy({ position: 'behind-edge' })

  const instanceOf = async (service: NamespacedName, signal: AbortSignal): Promise<Upstream> => {
    const lease = await serving.acquire(service, signal)
    return {
      host: lease.url.hostname,
      port: Number(lease.url.port),
      broke: () => lease.ended(ENDING_MS),
      answered: () => lease.succeeded(),
      unreachable: () => lease.discard(),
      release: () => lease.release(),
    }
  }

  return {
    /** Forwards a request unchanged except for its path; starts the service if needed. */
    async handle(service: NamespacedName, path: string, req: Request, res: Response): Promise<void> {
      const timeoutMs = serving.timeoutMs(service)
      if (timeoutMs === undefined) throw new HttpProblem(404, { detail: `there is no service ${nameText(service)}` })
      const gone = new AbortController()
      res.once('close', () => gone.abort())
      const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(timeoutMs)])
      const next = () => instanceOf(service, signal)
      try {
        await proxy.forward(req, res, { path, host: req.headers.host, next, signal })
      } catch (error) {
        if (res.headersSent || gone.signal.aborted) res.destroy()
        else throw asProblem(error, service.name, signal.aborted)
      }
    },
    [Symbol.dispose]: () => proxy[Symbol.dispose](),
  }
}

function asProblem(cause: unknown, service: string, isLate: boolean): HttpProblem {
  if (cause instanceof UnavailableError) {
    const headers = { 'Retry-After': String(cause.retryAfterSeconds) }
    return new HttpProblem(503, { detail: cause.message, headers, cause })
  }
  if (cause instanceof ProxyError && cause.status === 400) {
    // The rest of such a connection cannot be trusted.
    return new HttpProblem(400, { detail: cause.message, headers: { Connection: 'close' } })
  }
  if (cause instanceof ProxyError && cause.code === 'PROXY_BUSY') {
    return new HttpProblem(503, { detail: cause.message, headers: { 'Retry-After': '1' }, cause })
  }
  return new HttpProblem(isLate ? 504 : 502, {
    detail: `service ${service} did not answer${isLate ? ' in time' : ''}`,
    cause,
  })
}
