import { HttpProblem } from '@taproom/service'
import { type Request, Router } from 'express'
import { type ClusterAddress, isBrokerIngressHost, parseBrokerPath, parseClusterHost } from './addresses.ts'
import type { Brokers } from './eventing/brokers.ts'
import { brokerIngress } from './eventing/ingress.ts'
import type { ServiceProxy } from './serving/service-proxy.ts'

/** Namespace of the services that are addressed by their name alone. */
const DEFAULT_NAMESPACE = 'default'

/** Requests whose host is an address inside the cluster go where that address leads, whatever their path. */
export function clusterHostRoutes({ brokers, proxy }: { brokers: Brokers; proxy: ServiceProxy }): Router {
  const router = Router()
  const sharedIngress = brokerIngress({ brokers, brokerOf: (req) => parseBrokerPath(req.path) })
  const addressOf = (req: Request) => parseClusterHost(req.headers.host ?? '', (name) => brokers.has(name))
  const ingress = brokerIngress({ brokers, brokerOf: (req) => brokerAtRoot(addressOf(req), req.path) })

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

/** `/sinks/{service}`: a service directly, the rest of the path being the service's own. In lower case, as namespaces are. */
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

/** `/{namespace}/{broker}`: a broker; comes last because it takes every path. */
export function brokerRoutes({ brokers }: { brokers: Brokers }): Router {
  const router = Router()
  router.use(brokerIngress({ brokers, brokerOf: (req) => parseBrokerPath(req.path) }))
  return router
}
