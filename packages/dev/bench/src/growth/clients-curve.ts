import { openOutgoing } from '@taproom/messaging'
import { startSseCrowd } from '@taproom/testkit'
import { countUp, type FanOut, fanOut } from '../beers/fan-out.ts'
import { startBroker } from '../broker.ts'
import { LOAD_CORE, nodeOnCore } from '../cores.ts'
import { startServer } from '../server-process.ts'
import type { Curve } from './curve.ts'

const SIZES = [50, 500, 5000]

/** beer-stream's clients. */
export async function openClientsCurve(opened: AsyncDisposableStack): Promise<Curve> {
  const { kafka, bootstrapServers } = await startBroker(opened)
  const server = opened.use(
    await startServer(new URL('../../../../../apps/beer-stream/src/main.ts', import.meta.url), {
      env: {
        KAFKA_BOOTSTRAP_SERVERS: bootstrapServers,
        BEER_SERVICE_URL: 'http://127.0.0.1:9',
        BEER_ITEM_WAIT_MS: '600000',
      },
    }),
  )
  const use: FanOut = {
    crowd: opened.use(startSseCrowd({ command: nodeOnCore(LOAD_CORE) })),
    topic: opened.use(openOutgoing(kafka, { channel: 'priced-beer', timeoutMs: 60_000 })),
    path: '/beer',
    numbers: countUp(),
  }
  return {
    of: 'clients',
    what: 'CPU time of beer-stream for an event that goes to each of its clients',
    points: SIZES.map((size) => {
      return { size, calls: size, contender: fanOut(`${size} clients`, server, { clients: size, atOnce: 1 }, use) }
    }),
  }
}
