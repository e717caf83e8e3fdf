import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { freePort, waitFor } from '@taproom/testkit'
import { APPS, mainOf } from '../../harness/apps.ts'
import { copyShipped, eventing } from '../../harness/manifests.ts'
import { createHttpTarget, type HttpTargetOptions } from '../servers/http-target.ts'
import type { OpenServers } from '../servers/server-target.ts'
import { onStage, type Stage } from '../servers/stage.ts'
import { answered } from '../servers/watched-process.ts'
import { get, LIVE } from './apps.ts'
import { eventAt, eventExample, eventShapes } from './events.ts'
import { COLLECTIONS, resourceRequest, resourceShapes } from './resource-requests.ts'

/** How long an accepted event may take to arrive, in milliseconds, unless earlier input keeps it. */
const ARRIVAL_MS = 60_000
const BROKER = '/default/default'
const SINK = '/sinks/eventingaloha'

type PlatformSystem = Awaited<ReturnType<typeof startPlatform>>

/** The platform with a broker on its own Kafka, the shipped sinks, and a subscriber to every event. */
async function startPlatform({ folder, opened, start, startKafka }: Stage) {
  const arrived = new Set<string>()
  const manifests = join(folder, 'manifests')
  await writeManifests(manifests, await startSubscriber(arrived, opened))
  const [kafka, port, kubePort] = [await startKafka(), await freePort(), await freePort()]
  const { errors } = start(mainOf(APPS.events), {
    PORT: String(port),
    KUBE_PORT: String(kubePort),
    KAFKA_BOOTSTRAP_SERVERS: `127.0.0.1:${kafka.port}`,
    // Long enough that a busy machine puts no trigger out of its group.
    KAFKA_SESSION_TIMEOUT_MS: '20000',
    MANIFESTS: manifests,
    RESOURCES_FILE: join(folder, 'resources.json'),
  })
  // All of it, the triggers too: what is posted before they are ready goes to none.
  await answered(`http://127.0.0.1:${port}/q/health`)
  let probes = 0
  return {
    port,
    kubePort,
    errors,
    /** Sends an event that must reach the subscriber; why it did not. */
    async arrives(): Promise<readonly string[]> {
      probes += 1
      const id = `probe-${probes}`
      try {
        const response = await fetch(`http://127.0.0.1:${port}${BROKER}`, {
          method: 'POST',
          // Over a connection of its own: one that is kept may be closed at the moment it is used.
          headers: {
            connection: 'close',
            'ce-specversion': '1.0',
            'ce-id': id,
            'ce-source': '/fuzz',
            'ce-type': 'probe',
          },
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

/** Accepts every event, and remembers the ids of the probes; returns its URL. */
async function startSubscriber(arrived: Set<string>, opened: AsyncDisposableStack): Promise<string> {
  const server = createServer((req, res) => {
    if (req.headers['ce-type'] === 'probe') arrived.add(String(req.headers['ce-id']))
    req.resume().on('end', () => res.writeHead(202).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.defer(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function writeManifests(folder: string, subscriber: string): Promise<void> {
  await copyShipped(folder, /^[123]00-/)
  const spec = { broker: 'default', subscriber: { uri: subscriber }, delivery: { retry: 0 } }
  await writeFile(join(folder, '500-fuzz.yaml'), eventing('Trigger', 'all', spec))
}

function platformSurface(choose: (system: PlatformSystem) => Omit<HttpTargetOptions, 'errors'>): OpenServers {
  return onStage(async (stage) => {
    const system = await startPlatform(stage)
    const reasons = await system.arrives()
    if (reasons.length > 0) throw new Error(`the first event: ${reasons.join(', ')}`)
    return createHttpTarget({ ...choose(system), errors: system.errors }, stage.opened)
  })
}

/** The three ways into the platform. */
export const PLATFORM_SURFACES: Readonly<Record<string, OpenServers>> = {
  // Events to the broker; after each batch one more must reach its subscriber.
  broker: platformSurface(({ port, arrives }) => ({
    port,
    example: eventExample(BROKER),
    plain: eventAt(BROKER),
    shapes: eventShapes(BROKER),
    expectations: [LIVE],
    probe: arrives,
  })),
  // Requests through the platform to a sink, which it starts.
  sinks: platformSurface(({ port }) => ({
    port,
    example: (random) =>
      random.chance(0.8)
        ? eventExample(SINK)(random)
        : { method: random.pick(['GET', 'DELETE', 'OPTIONS', 'PUT']), path: `${SINK}/q/health/live` },
    plain: eventAt(SINK),
    shapes: eventShapes(SINK),
    expectations: [
      { request: eventAt(SINK), status: 200 },
      { request: get(`${SINK}/q/health/live`), status: 200, body: '{' },
    ],
  })),
  // The resource API, as clients such as kubectl use it; after each batch all objects can still be listed.
  resources: platformSurface(({ kubePort }) => ({
    port: kubePort,
    example: resourceRequest,
    plain: get(`${COLLECTIONS['Broker']}`),
    shapes: resourceShapes(),
    expectations: Object.values(COLLECTIONS).map((path) => ({ request: get(path), status: 200, body: '{' })),
  })),
}
