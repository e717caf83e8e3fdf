import { Agent, type IncomingMessage, type ServerResponse } from 'node:http'
import { type HealthPage, healthPage } from '@taproom/health'
import { MANAGEMENT_PATHS, methodNotAllowed, sendProblem } from '@taproom/http'
import { renderDescription } from '@taproom/openapi'
import { systemHealth, systemPageReport } from './health-report.ts'
import { type Home, homePage } from './home-page.ts'
import { createProxy, type ProxyOptions } from './proxy.ts'
import { findRoute, type RouteOptions, servicesByPath } from './routes.ts'
import { send, sendJson } from './send.ts'
import { servedHosts } from './served-hosts.ts'
import { systemDescription } from './system-description.ts'

/** Options of {@link createGateway}. */
export interface GatewayOptions extends RouteOptions, ProxyOptions {
  /** The services whose health is the system's, in the order in which they are reported. */
  readonly services: readonly string[]
  /** Where a service listens now; undefined while it doesn't run. */
  portOf(service: string): number | undefined
  /** While aborted, readiness is DOWN: the system is stopping. */
  readonly shutdown?: AbortSignal
  /** Hosts that it serves beside this machine's own and those inside the cluster, without port. Default none. */
  readonly allowedHosts?: readonly string[]
  /** What the page at `/` tells. */
  home(): Home
  /** How long a service may take to report its health. Default 2500 ms. */
  readonly healthTimeoutMs?: number
}

/** The one front door of all services. */
export interface Gateway extends Disposable {
  handle(request: IncomingMessage, response: ServerResponse): void
}

const notServed =
  'this host is not served here: use localhost or an address of this machine, or add the host to GATEWAY_ALLOWED_HOSTS'
const refuseMethod = methodNotAllowed('GET', 'HEAD')
const draining = { name: 'Graceful shutdown', status: 'DOWN', data: { reason: 'the system is stopping' } } as const

/**
 * Creates the handler that gives the contract's one base URL: refuses hosts that it doesn't serve, routes by host and path, passes on, reports the
 * health of all. It expects requests as `listen` gives them: the target a path, the host the one that counts.
 */
export function createGateway(options: GatewayOptions): Gateway {
  const proxy = createProxy(options)
  const agent = new Agent({ keepAlive: true })
  const servesHost = servedHosts(options.allowedHosts ?? [])
  const page = healthPage()

  function handle(request: IncomingMessage, response: ServerResponse): void {
    response.on('error', () => {
      // The client is gone; the proxy learns it from `close`.
    })
    const { host } = request.headers
    const target = request.url ?? '/'
    if (!servesHost(host)) {
      return void sendProblem(response, { status: 421, detail: notServed, headers: { Connection: 'close' } })
    }
    const route = findRoute(host, target, options)
    if (route.kind === 'service') {
      return void proxy.forward(request, response, { ...route, host, port: options.portOf(route.service) })
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

  function sendHomePage(response: ServerResponse): void {
    const { headers, body } = homePage(options.home(), response.req.headers.accept ?? '')
    send(response, 200, headers, body)
  }

  const addressesOf = (names: readonly string[]) => names.map((name) => ({ name, port: options.portOf(name) }))
  const questionAt = (path: string) => ({
    services: addressesOf(options.services),
    path,
    agent,
    ...(options.healthTimeoutMs !== undefined && { timeoutMs: options.healthTimeoutMs }),
  })

  async function sendHealth(response: ServerResponse, report: string): Promise<void> {
    let health = await systemHealth(questionAt(options.healthRootPath + report))
    if (options.shutdown?.aborted && (report === '' || report === '/ready')) {
      health = { status: 'DOWN', checks: [...health.checks, draining] }
    }
    sendJson(response, health.status === 'UP' ? 200 : 503, health)
  }

  async function sendPageReport(response: ServerResponse): Promise<void> {
    sendJson(response, 200, await systemPageReport(questionAt(`${MANAGEMENT_PATHS.healthPage}report`)))
  }

  async function sendDescription(
    response: ServerResponse,
    { host, target }: { host: string | undefined; target: string },
  ): Promise<void> {
    try {
      const document = await systemDescription({
        services: addressesOf(servicesByPath),
        url: host === undefined ? '/' : `http://${host}`,
        serves: (path) => findRoute(undefined, path, options).kind !== 'none',
        agent,
      })
      const { contentType, body } = await renderDescription(document, { target, accept: response.req.headers.accept })
      send(response, 200, { 'Content-Type': contentType, Vary: 'Accept' }, body)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const detail = `not every service can describe itself right now: ${reason}`
      sendProblem(response, { status: 503, detail, headers: { 'Retry-After': '1' } })
    }
  }

  return {
    handle,
    [Symbol.dispose]() {
      proxy[Symbol.dispose]()
      agent.destroy()
    },
  }
}

/** The page has one address; without its slash it is found all the same. */
function sendHealthPage(response: ServerResponse, target: string, { html, headers }: HealthPage): void {
  if (!target.startsWith(MANAGEMENT_PATHS.healthPage)) {
    send(response, 308, { Location: MANAGEMENT_PATHS.healthPage }, '')
    return
  }
  send(response, 200, headers, html)
}
