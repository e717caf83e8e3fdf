import type { IncomingMessage, ServerResponse } from 'node:http'
import { createReverseProxy, ProxyError, sendProblem } from '@taproom/http'
import type { AskOptions } from './ask-service.ts'
import { HeldRequests, type HeldRequestsOptions } from './held-requests.ts'

export interface ProxyOptions extends Pick<AskOptions, 'portOf'>, Partial<HeldRequestsOptions> {
  /** Called for each request that a service did not answer. */
  readonly onFailure?: ((service: string, status: 502 | 503, reason: string) => void) | undefined
}

/**
 * Passes requests on to services on this machine and their answers back, as they come. It answers 503 when the service can't be reached,
 * 502 when the service breaks off before its answer or the answer can't be passed on, and 400 when the request can't be passed on. While a
 * service is restarted, its requests wait.
 */
export function createProxy(options: ProxyOptions) {
  const { portOf, onFailure = () => {}, restartOf = () => undefined } = options
  const proxy = createReverseProxy({ position: 'edge' })
  const held = new HeldRequests({ ...options, restartOf })

  function answerInstead(response: ServerResponse, service: string, error: unknown): void {
    if (error instanceof ProxyError && error.status === 400) {
      // The bytes after such a request may be anything: the connection is closed.
      sendProblem(response, { status: 400, detail: error.message, headers: { Connection: 'close' } })
      return
    }
    const status = error instanceof ProxyError && error.status === 503 ? 503 : 502
    onFailure(service, status, reasonOf(error))
    const detail = status === 503 ? `${service} is not available right now` : `${service} broke off before it answered`
    sendProblem(response, { status, detail, headers: { 'Retry-After': '1' } })
  }

  return {
    forward(incoming: IncomingMessage, response: ServerResponse, { service, path }: { service: string; path: string }) {
      const next = async () => {
        await held.pass(service, response)
        const port = portOf(service)
        if (port === undefined) throw new ProxyError('PROXY_UPSTREAM_UNREACHABLE', 'not running')
        return {
          host: '127.0.0.1',
          port,
          release: held.sent(service, response),
          // Its process ended while this request was on its way: it goes to the next one.
          get unreachable() {
            return held.isRestarting(service) ? () => {} : undefined
          },
        }
      }
      proxy.forward(incoming, response, { path, host: incoming.headers.host, next }).catch((error: unknown) => {
        if (response.headersSent) response.destroy()
        else if (!response.destroyed) answerInstead(response, service, error)
      })
    },
    /** Resolves when a service has begun to answer all that it got. */
    answered: (service: string) => held.answered(service),
    [Symbol.dispose]: () => proxy[Symbol.dispose](),
  }
}

/** The operating system's code, such as ECONNREFUSED, else the proxy's message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : error.message
}
