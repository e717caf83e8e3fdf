import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { reasonOf } from '@taproom/core/lines'
import { type HealthPage, healthPage } from '@taproom/health'
import { createWebGuard, MANAGEMENT_PATHS, methodNotAllowed, sendJson, sendProblem } from '@taproom/http'
import { renderDescription } from '@taproom/openapi'
import { askService } from './ask-service.ts'
import { systemHealth, systemPageReport } from './health-report.ts'
import { type Home, homePage, NOT_KEPT, wantsHtml } from './home-page.ts'
import { createProxy, type ProxyOptions } from './proxy.ts'
import { findRoute, INSIDE_CLUSTER, type Route, type RouteOptions, servicesByPath } from './routes.ts'
import { systemDescription } from './system-description.ts'

export interface GatewayOptions extends RouteOptions, ProxyOptions {
  readonly title: string
  /** The services whose health makes up the system's, in the order of the report. */
  readonly services: readonly string[]
  /** While aborted, readiness is DOWN: the system is stopping. */
  readonly shutdown?: AbortSignal
  /** Hosts without port, besides this machine's own and those inside the cluster. Default none. */
  readonly allowedHosts?: readonly string[]
  /** Origins whose pages may send events, besides the gateway's own. Default none. */
  readonly allowedOrigins?: readonly string[]
  home(): Home
  /** Where browsers of this host are led from the home page, and a link of the health page leads; undefined when nowhere. Default: nowhere. */
  leadsTo?(host: string | undefined): Promise<string | undefined>
  /** How long a service may take to report its health. Default 2500 ms. */
  readonly healthTimeoutMs?: number
}

export type Gateway = ReturnType<typeof createGateway>

const refuseMethod = methodNotAllowed('GET', 'HEAD')
const DRAINING = { name: 'Graceful shutdown', status: 'DOWN', data: { reason: 'the system is stopping' } } as const

/**
 * Creates the handler behind the contract's one base URL: it refuses hosts that it doesn't serve and, but for services that decide that
 * themselves, pages of other origins; it routes by host and path, passes requests on and reports the health of all services. Requests come
 * from `listen`, which has made the target a path and settled the host.
 */
export function createGateway(options: GatewayOptions) {
  const proxy = createProxy(options)
  const { services } = options
  const ask = askService({ ...options, timeoutMs: options.healthTimeoutMs })
  const guard = createWebGuard({
    names: [...(options.allowedHosts ?? []), INSIDE_CLUSTER],
    namesFrom: 'GATEWAY_ALLOWED_HOSTS',
    ...(options.allowedOrigins && { origins: options.allowedOrigins }),
  })
  /** Other services have pages, forms and CORS of their own, and refuse by themselves what they do not want. */
  const isForAnyPage = (route: Route) => route.kind === 'service' && route.service !== options.paths['/brokers/*']
  const page = healthPage()

  function handle(request: IncomingMessage, response: ServerResponse): void {
    response.on('error', () => {
      // The client is gone: the proxy hears of it by `close`.
    })
    const { host } = request.headers
    const target = request.url ?? '/'
    const route = findRoute(host, target, options)
    // Browsers always name a Host; clients of HTTP/1.0 need not.
    const refusal =
      host === undefined ? undefined : isForAnyPage(route) ? guard.hostRefusal(request) : guard.refusal(request)
    if (refusal !== undefined) {
      request.resume()
      return void sendProblem(response, refusal)
    }
    if (route.kind === 'service') {
      return void proxy.forward(request, response, route)
    }
    request.resume()
    if (route.kind === 'none') {
      return void sendProblem(response, { status: 404, detail: 'there is nothing at this address' })
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return void refuseMethod(request, response)
    switch (route.kind) {
      case 'health':
        return void sendHealth(response, route.report)
      case 'description':
        return void sendDescription(response, { host, target })
      case 'health-page-report':
        return void sendPageReport(response)
      case 'health-page':
        return void sendHealthPage(response, target, page)
      case 'home':
        return void sendHomePage(response)
    }
  }

  async function sendHomePage(response: ServerResponse): Promise<void> {
    const { accept = '', host } = response.req.headers
    const elsewhere = wantsHtml(accept) ? await options.leadsTo?.(host) : undefined
    if (elsewhere !== undefined) return send(response, 302, { ...NOT_KEPT, Location: elsewhere }, '')
    const { headers, body } = homePage(options.home(), accept)
    send(response, 200, headers, body)
  }

  async function sendHealth(response: ServerResponse, report: string): Promise<void> {
    let health = await systemHealth(services, options.healthRootPath + report, ask)
    if (options.shutdown?.aborted && (report === '' || report === '/ready')) {
      health = { status: 'DOWN', checks: [...health.checks, DRAINING] }
    }
    sendJson(response, health.status === 'UP' ? 200 : 503, health)
  }

  async function sendPageReport(response: ServerResponse): Promise<void> {
    const report = await systemPageReport(services, `${MANAGEMENT_PATHS.healthPage}report`, ask)
    const console = await options.leadsTo?.(response.req.headers.host)
    sendJson(response, 200, { ...report, ...(console !== undefined && { console }) })
  }

  async function sendDescription(
    response: ServerResponse,
    { host, target }: { host: string | undefined; target: string },
  ): Promise<void> {
    try {
      const document = await systemDescription({
        title: options.title,
        services: servicesByPath(options.paths),
        url: host === undefined ? '/' : `http://${host}`,
        serves: (path) => findRoute(undefined, path, options).kind !== 'none',
        ask,
      })
      const { contentType, body } = await renderDescription(document, { target, accept: response.req.headers.accept })
      send(response, 200, { 'Content-Type': contentType, Vary: 'Accept' }, body)
    } catch (error) {
      const detail = `not every service can describe itself right now: ${reasonOf(error)}`
      sendProblem(response, { status: 503, detail, headers: { 'Retry-After': '1' } })
    }
  }

  return { handle, answered: proxy.answered, [Symbol.dispose]: () => proxy[Symbol.dispose]() }
}

/** The page's address ends in a slash; without it, the client is redirected. */
function sendHealthPage(response: ServerResponse, target: string, { html, headers }: HealthPage): void {
  if (!target.startsWith(MANAGEMENT_PATHS.healthPage)) {
    send(response, 308, { Location: MANAGEMENT_PATHS.healthPage }, '')
    return
  }
  send(response, 200, headers, html)
}

function send(response: ServerResponse, status: number, headers: OutgoingHttpHeaders, body: string): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body)
}
