import { once } from 'node:events'
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, waitFor } from '@taproom/testkit'
import type { Example } from '../servers/http-input.ts'
import { createHttpTarget, type HttpTargetOptions } from '../servers/http-target.ts'
import type { OpenServers } from '../servers/server-target.ts'
import { openWatch, type Watch } from '../servers/watch.ts'
import { answered, startWatched } from '../servers/watched-process.ts'
import { eventAt, eventExample, eventShapes } from './events.ts'
import { COLLECTIONS, resourceRequest, resourceShapes } from './resource-requests.ts'

const SHIPPED = fileURLToPath(new URL('../../../../../deploy/knative', import.meta.url))
/** How long an accepted event may take to arrive, in milliseconds, unless earlier input keeps it. */
const ARRIVAL_MS = 60_000

/** event-platform with a broker on its own Kafka, the shipped sinks, and a subscriber to every event. */
interface PlatformSystem {
  readonly port: number
  readonly kubePort: number
  readonly errors: readonly string[]
  readonly arrives: () => Promise<readonly string[]>
}

async function startPlatform(folder: string, watch: Watch, opened: AsyncDisposableStack): Promise<PlatformSystem> {
  const [kafkaPort, port, kubePort] = [await freePort(), await freePort(), await freePort()]
  const arrived = new Set<string>()
  const subscriber = await startSubscriber(arrived)
  opened.use(subscriber)
  const manifests = join(folder, 'manifests')
  await writeManifests(manifests, subscriber.url)
  opened.use(startWatched('packages/dev/embedded-kafka/src/main.ts', { ...watch.env, KAFKA_PORT: String(kafkaPort) }))
  const platform = opened.use(
    startWatched('apps/event-platform/src/main.ts', {
      ...watch.env,
      PORT: String(port),
      KUBE_PORT: String(kubePort),
      KAFKA_BOOTSTRAP_SERVERS: `127.0.0.1:${kafkaPort}`,
      // So that a busy machine puts no trigger out of its group.
      KAFKA_SESSION_TIMEOUT_MS: '20000',
      MANIFESTS: manifests,
      RESOURCES_FILE: join(folder, 'resources.json'),
    }),
  )
  // All of it, the triggers too: what is posted before they are ready goes to none.
  await answered(`http://127.0.0.1:${port}/q/health`)
  let probes = 0
  return {
    port,
    kubePort,
    errors: platform.errors,
    async arrives() {
      probes += 1
      const id = `probe-${probes}`
      try {
        const response = await fetch(`http://127.0.0.1:${port}${BROKER}`, {
          method: 'POST',
          headers: { 'ce-specversion': '1.0', 'ce-id': id, 'ce-source': '/fuzz', 'ce-type': 'probe' },
          signal: AbortSignal.timeout(ARRIVAL_MS),
        })
        if (response.status !== 202) return [`an event was answered ${response.status}`]
        await waitFor('the event', () => arrived.has(id), { timeoutMs: ARRIVAL_MS, intervalMs: 2 })
        return []
      } catch (error) {
        return [`an event did not arrive: ${String(error)}`]
      } finally {
        arrived.clear()
      }
    },
  }
}

/** Accepts every event, and remembers the ids of the probes. */
async function startSubscriber(arrived: Set<string>) {
  const server = createServer((req, res) => {
    if (req.headers['ce-type'] === 'probe') arrived.add(String(req.headers['ce-id']))
    req.resume().on('end', () => res.writeHead(202).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function writeManifests(folder: string, subscriber: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const shipped = (await readdir(SHIPPED)).filter((name) => /^[123]00-/.test(name))
  await Promise.all(shipped.map((name) => copyFile(join(SHIPPED, name), join(folder, name))))
  const trigger = {
    apiVersion: 'eventing.knative.dev/v1',
    kind: 'Trigger',
    metadata: { name: 'all' },
    spec: { broker: 'default', subscriber: { uri: subscriber }, delivery: { retry: 0 } },
  }
  await writeFile(join(folder, '500-fuzz.yaml'), JSON.stringify(trigger))
}

const LIVE: Example = { method: 'GET', path: '/q/health/live' }

function openPlatform(
  choose: (
    system: PlatformSystem,
  ) => Pick<HttpTargetOptions, 'port' | 'example' | 'plain' | 'shapes' | 'expectations' | 'probe'>,
): OpenServers {
  return async (folder) => {
    await using opened = new AsyncDisposableStack()
    const watch = opened.use(await openWatch(folder))
    const system = await startPlatform(folder, watch, opened)
    const reasons = await system.arrives()
    if (reasons.length > 0) throw new Error(`the first event: ${reasons.join(', ')}`)
    const resources = opened.move()
    return createHttpTarget({ ...choose(system), watch, errors: system.errors, close: () => resources.disposeAsync() })
  }
}

const BROKER = '/default/default'
const SINK = '/sinks/eventingaloha'

/** Events to the broker; after each batch one more must reach its subscriber. */
export const openBroker = openPlatform(({ port, arrives }) => ({
  port,
  example: eventExample(BROKER),
  plain: eventAt(BROKER),
  shapes: eventShapes(BROKER),
  expectations: [{ request: LIVE, status: 200, body: '{' }],
  probe: arrives,
}))

/** Requests through the platform to a sink, which it starts. */
export const openSinks = openPlatform(({ port }) => ({
  port,
  example: (random) =>
    random.chance(0.8)
      ? eventExample(SINK)(random)
      : { method: random.pick(['GET', 'DELETE', 'OPTIONS', 'PUT']), path: `${SINK}/q/health/live` },
  plain: eventAt(SINK),
  shapes: eventShapes(SINK),
  expectations: [
    { request: eventAt(SINK), status: 200 },
    { request: { method: 'GET', path: `${SINK}/q/health/live` }, status: 200, body: '{' },
  ],
}))

/** The resource API, as clients such as kubectl use it; after each batch all objects can still be listed. */
export const openResources = openPlatform(({ kubePort }) => ({
  port: kubePort,
  example: resourceRequest,
  plain: { method: 'GET', path: `${COLLECTIONS['Broker']}` },
  shapes: resourceShapes(),
  expectations: Object.values(COLLECTIONS).map((path) => ({
    request: { method: 'GET', path },
    status: 200,
    body: '{',
  })),
}))
