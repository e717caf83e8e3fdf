import { Agent, type IncomingMessage, type ServerResponse } from 'node:http'
import { type ServiceAddress, systemHealth } from './health-report.ts'
import { sendProblem } from './problem.ts'
import { createProxy, type ProxyOptions } from './proxy.ts'
import { findRoute, type RouteOptions } from './routes.ts'

/** Options of {@link createGateway}. */
export interface GatewayOptions extends RouteOptions, ProxyOptions {
  /** The services whose health is the system's, in the order in which they are reported. */
  readonly services: readonly string[]
  /** Where a service listens now; undefined while it doesn't run. */
  portOf(service: string): number | undefined
  /** While aborted, readiness is DOWN: the system is stopping. */
  readonly shutdown?: AbortSignal
  /** How long a service may take to report its health. Default 2500 ms. */
  readonly healthTimeoutMs?: number
}

/** The one front door of all services. */
export interface Gateway extends Disposable {
  handle(request: IncomingMessage, response: ServerResponse): void
}

const draining = { name: 'Graceful shutdown', status: 'DOWN', data: { reason: 'the system is stopping' } } as const

/** Creates the handler that gives the contract's one base URL: routes by host and path, passes on, reports the health of all. */
export function createGateway(options: GatewayOptions): Gateway {
  const proxy = createProxy(options)
  const agent = new Agent({ keepAlive: true })

  function handle(request: IncomingMessage, response: ServerResponse): void {
    response.on('error', () => {
      // The client is gone; the proxy learns it from `close`.
    })
    const { host, target } = addressOf(request)
    const route = findRoute(host, target, options)
    if (route.kind === 'service') {
      proxy.forward(request, response, { ...route, host, port: options.portOf(route.service) })
      return
    }
    request.resume()
    if (route.kind === 'none') sendProblem(response, 404, 'there is nothing at this address')
    else if (request.method !== 'GET' && request.method !== 'HEAD') {
      sendProblem(response, 405, `${request.method} is not possible here`, { Allow: 'GET, HEAD' })
    } else if (route.kind === 'health') void sendHealth(response, route.report)
    else sendHealthPage(request, response, { host, path: target })
  }

  async function sendHealth(response: ServerResponse, report: string): Promise<void> {
    const services: ServiceAddress[] = options.services.map((name) => ({ name, port: options.portOf(name) }))
    const path = options.healthRootPath + report
    const timeout = options.healthTimeoutMs === undefined ? {} : { timeoutMs: options.healthTimeoutMs }
    let health = await systemHealth({ services, path, agent, ...timeout })
    if (options.shutdown?.aborted && (report === '' || report === '/ready')) {
      health = { status: 'DOWN', checks: [...health.checks, draining] }
    }
    const body = Buffer.from(JSON.stringify(health))
    response.writeHead(health.status === 'UP' ? 200 : 503, {
      'Content-Type': 'application/json; charset=UTF-8',
      'Content-Length': body.length,
      'Cache-Control': 'no-store',
    })
    response.end(response.req.method === 'HEAD' ? undefined : body)
  }

  /** The page is any service's: it asks the address it came from, which is the gateway. */
  function sendHealthPage(
    request: IncomingMessage,
    response: ServerResponse,
    address: { host: string | undefined; path: string },
  ): void {
    const service = options.services.find((name) => options.portOf(name) !== undefined) ?? options.services[0] ?? ''
    proxy.forward(request, response, { ...address, service, port: options.portOf(service) })
  }

  return {
    handle,
    [Symbol.dispose]() {
      proxy[Symbol.dispose]()
      agent.destroy()
    },
  }
}

/** A request's host and path, also of one that names a whole URL (RFC 9112, section 3.2.2). */
function addressOf(request: IncomingMessage): { host: string | undefined; target: string } {
  const target = request.url ?? '/'
  if (target.startsWith('/')) return { host: request.headers.host, target }
  const absolute = /^https?:\/\/([^/?#]*)([^#]*)/i.exec(target)
  if (!absolute) return { host: request.headers.host, target }
  const [, host, path = ''] = absolute
  return { host, target: path.startsWith('/') ? path : `/${path}` }
}
