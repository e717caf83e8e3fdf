import { type RequestHandler, sendJson, servePaths } from '@taproom/http'
import { HttpProblem } from '@taproom/service'
import { type Request, Router } from 'express'
import type { Brokers } from './eventing/brokers.ts'
import { brokerIngress } from './eventing/ingress.ts'
import type { IngressGuard } from './eventing/ingress-guard.ts'
import { KEY_SET_PATH, METADATA_PATH, type TokenIssuer } from './identity/token-issuer.ts'
import { type ClusterAddress, isBrokerIngressHost, parseBrokerPath, parseClusterHost } from './resources/addresses.ts'
import type { ServiceProxy } from './serving/service-proxy.ts'

/** For services addressed by name alone. */
const DEFAULT_NAMESPACE = 'default'

/** Brokers, and who asks for tokens before them; without a guard everyone may send. */
export interface BrokerDoor {
  readonly brokers: Brokers
  readonly guard?: IngressGuard | undefined
}

/** Routes by host, if that is an address inside the cluster, whatever the path. */
export function clusterHostRoutes(deps: BrokerDoor & { readonly proxy: ServiceProxy }): Router {
  const { brokers, guard, proxy } = deps
  const router = Router()
  const sharedIngress = brokerIngress({ brokers, guard, brokerOf: (req) => parseBrokerPath(req.path) })
  const addressOf = (req: Request) => parseClusterHost(req.headers.host ?? '', (name) => brokers.has(name))
  const ingress = brokerIngress({ brokers, guard, brokerOf: (req) => brokerAtRoot(addressOf(req), req.path) })

  router.use(async (req, res, next) => {
    const address = addressOf(req)
    if (isBrokerIngressHost(req.headers.host ?? '')) await sharedIngress(req, res, next)
    else if (address?.kind === 'broker') await ingress(req, res, next)
    else if (address?.kind === 'service') await proxy.handle(address, req.url, req, res)
    else next()
  })
  return router
}

function brokerAtRoot(address: ClusterAddress | undefined, path: string) {
  return address !== undefined && path === '/' ? address : 'wrong-depth'
}

/** What whoever gets a token of the platform needs to verify it. */
export function issuerRoutes({ tokens }: { tokens: TokenIssuer }): RequestHandler {
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
export function brokerRoutes({ brokers, guard }: BrokerDoor): Router {
  const router = Router()
  router.use(brokerIngress({ brokers, guard, brokerOf: (req) => parseBrokerPath(req.path) }))
  return router
}
