import { type RequestHandler as HttpHandler, sendJson, servePaths } from '@taproom/http'
import { HttpProblem } from '@taproom/service'
import { type RequestHandler, Router } from 'express'
import type { Brokers } from './eventing/brokers.ts'
import type { Ingress } from './eventing/ingress.ts'
import { KEY_SET_PATH, METADATA_PATH, type TokenIssuer } from './identity/token-issuer.ts'
import { isBrokerIngressHost, parseBrokerPath, parseClusterHost } from './resources/addresses.ts'
import type { ServiceProxy } from './serving/service-proxy.ts'

/** For services addressed by name alone. */
const DEFAULT_NAMESPACE = 'default'

/** Routes by host, if that is an address inside the cluster, whatever the path. */
export function clusterHostRoutes(deps: {
  readonly brokers: Brokers
  readonly ingress: Ingress
  readonly proxy: ServiceProxy
}): Router {
  const { brokers, ingress, proxy } = deps
  const router = Router()
  router.use(async (req, res, next) => {
    const { host = '' } = req.headers
    const address = parseClusterHost(host, (name) => brokers.has(name))
    if (isBrokerIngressHost(host)) await ingress(req, res, parseBrokerPath(req.path))
    else if (address?.kind === 'broker') await ingress(req, res, req.path === '/' ? address : 'wrong-depth')
    else if (address?.kind === 'service') await proxy.handle(address, req.url, req, res)
    else next()
  })
  return router
}

/** The metadata and the keys by which receivers verify the platform's tokens. */
export function issuerRoutes({ tokens }: { tokens: TokenIssuer }): HttpHandler {
  return servePaths('GET', {
    [METADATA_PATH]: (_req, res) => sendJson(res, 200, tokens.metadata()),
    [KEY_SET_PATH]: async (_req, res) => sendJson(res, 200, await tokens.keySet()),
  })
}

/** `/sinks/{service}`: the rest of the path goes to the service. In lower case, like namespaces. */
export function sinkRoutes({ proxy }: { proxy: ServiceProxy }): Router {
  const router = Router({ caseSensitive: true })
  router.use('/sinks', async (req, res) => {
    const { service, rest } = /^\/(?<service>[^/?]+)(?<rest>.*)$/.exec(req.url)?.groups ?? {}
    if (service === undefined) throw new HttpProblem(404, { detail: 'no service here: use /sinks/{service}' })
    const path = rest?.startsWith('/') ? rest : `/${rest ?? ''}`
    await proxy.handle({ namespace: DEFAULT_NAMESPACE, name: service }, path, req, res)
  })
  return router
}

/** `/{namespace}/{broker}`: last, because it matches every path. */
export function brokerRoutes(ingress: Ingress): RequestHandler {
  return (req, res) => ingress(req, res, parseBrokerPath(req.path))
}
