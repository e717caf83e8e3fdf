import type { Writable } from 'node:stream'
import { healthRoutes } from '@taproom/health'
import { isLoopback, type RequestHandler } from '@taproom/http'
import { createKafka, createTopicAdmin, openOutgoing } from '@taproom/messaging'
import { assemble, createHttpApp, createMetrics, forManagement, listen, type ServiceContext } from '@taproom/service'
import type { Config } from './config.ts'
import { createIngress } from './eventing/ingress.ts'
import { openIngressGuard } from './eventing/ingress-guard.ts'
import { createPlatformHealth } from './health.ts'
import { createKubeApp } from './kube/kube-app.ts'
import { openToken } from './kube/token.ts'
import { startPlatform } from './platform.ts'
import { watchPlatform } from './platform-metrics.ts'
import { refusePages } from './refuse-pages.ts'
import { brokerRoutes, clusterHostRoutes, issuerRoutes, sinkRoutes } from './routes.ts'

/** Brokers take events, triggers deliver them to sinks, which the platform runs; the resource API manages all of them. */
export const startEventPlatform = (
  { config, log, shutdown }: ServiceContext<Config>,
  output: Writable = process.stdout,
) =>
  assemble(async (use) => {
    const kafka = createKafka({ clientId: 'event-platform', ...config.kafka, log })
    const outgoing = use(openOutgoing(kafka, { channel: 'event-brokers', bufferSize: 10_000, ...config.ingress }))
    const topics = use(createTopicAdmin(kafka))
    const platform = use(await startPlatform({ config, kafka, topics, outgoing, log, output }))

    const token = config.kube.isLocalOnly ? undefined : await openToken(config.kube.tokenFile)
    const kubeApp = createKubeApp({
      store: platform.store,
      kept: platform.kept,
      log,
      shutdown,
      access: { ...config.kube, token },
    })
    const kube = use(await listen(kubeApp, { ...config.kube, variables: { port: 'KUBE_PORT', host: 'KUBE_HOST' } }))
    if (token !== undefined) {
      const kubectl = `kubectl -s http://kubectl:$(cat ${config.kube.tokenFile})@HOST:${kube.port} get brokers,triggers,ksvc`
      log.info({ kubectl }, 'the resource API can be reached from elsewhere; who writes needs the token')
    }
    const { access, brokers, proxy } = platform
    const guard = access && use(await openIngressGuard(config.authorization.issuers, log))
    const health = createPlatformHealth({ platform, outgoing, guard, shutdown })
    const metrics = createMetrics({ health })
    watchPlatform(metrics, platform)
    // Cluster addresses by host come first, brokers by path last: they match every path.
    const management = [healthRoutes(health, config.health), metrics.routes].map(forManagement)
    const ingress = createIngress(brokers, guard)
    const byHost = clusterHostRoutes({ brokers, ingress, proxy })
    const own = [issuerRoutes(platform), sinkRoutes(platform), brokerRoutes(ingress)]
    const routes = [...pagesRefused(config), byHost, ...management, ...own]
    const app = createHttpApp({ log, metrics, routes })
    const server = use(await listen(app, config.http))
    platform.tokens.listensAt(server.url)
    return { ...server, kube, platform, details: { kubePort: kube.port } }
  })

/** Only for brokers on a loopback address. Elsewhere a gateway in front checks the Host, and clients may be anywhere. */
function pagesRefused({ http, gatewayHosts }: Config): readonly RequestHandler[] {
  return isLoopback(http.host) ? [refusePages({ gatewayHosts, origins: http.cors?.origins ?? [] })] : []
}
