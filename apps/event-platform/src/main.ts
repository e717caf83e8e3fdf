import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createKafka, createTopicAdmin, openOutgoing } from '@taproom/messaging'
import { createLogger, fatal, listen, shutdownSignal } from '@taproom/service'
import { createApp } from './app.ts'
import { readConfig } from './config.ts'
import { createKubeApp } from './kube/kube-app.ts'
import { startPlatform } from './platform.ts'

const repository = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

async function main() {
  const config = readConfig(process.env, { manifests: repository('deploy/knative'), apps: repository('apps') })
  const log = createLogger('event-platform', config.log)
  const shutdown = shutdownSignal(log, config.graceMs)

  const kafka = createKafka({ clientId: 'event-platform', ...config.kafka, log })
  await using outgoing = openOutgoing(kafka, { channel: 'event-brokers', bufferSize: 10_000 })
  await using topics = createTopicAdmin(kafka)
  await using platform = await startPlatform({ config, kafka, topics, outgoing, log, output: process.stdout })

  const kube = createKubeApp({ store: platform.store, log, shutdown, isLocalOnly: config.kube.isLocalOnly })
  await using kubeServer = await listen(kube, { ...config.kube, variables: { port: 'KUBE_PORT', host: 'KUBE_HOST' } })
  const app = createApp({ platform, outgoing, health: config.health, shutdown, log })
  await using server = await listen(app, config.http)
  log.info({ port: server.port, kubePort: kubeServer.port }, 'event-platform ready')
  if (!shutdown.aborted) await once(shutdown, 'abort')
}

main().catch((error: unknown) => {
  fatal('event-platform failed to start', error)
  process.exitCode = 1
})
