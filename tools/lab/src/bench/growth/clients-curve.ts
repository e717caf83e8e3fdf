import { openOutgoing } from '@taproom/messaging'
import { startSseCrowd } from '@taproom/testkit'
import { APPS } from '../../harness/apps.ts'
import { countUp, type FanOut, fanOut } from '../beers/fan-out.ts'
import { startBeerStream } from '../beers/stream.ts'
import { startBroker } from '../broker.ts'
import { LOAD_CORE, nodeOnCore } from '../cores.ts'
import type { Curve } from './curve.ts'

const SIZES = [50, 500, 5000]

/** Clients of the stream. */
export async function openClientsCurve(opened: AsyncDisposableStack): Promise<Curve> {
  const { kafka, bootstrapServers } = await startBroker(opened)
  const server = opened.use(await startBeerStream(bootstrapServers))
  const use: FanOut = {
    crowd: opened.use(startSseCrowd({ command: nodeOnCore(LOAD_CORE) })),
    topic: opened.use(openOutgoing(kafka, { channel: 'priced-beer', timeoutMs: 60_000 })),
    path: '/beer',
    numbers: countUp(),
  }
  return {
    of: 'clients',
    what: `CPU time of ${APPS.stream} for an event that goes to each of its clients`,
    points: SIZES.map((size) => {
      return { size, calls: size, contender: fanOut(`${size} clients`, server, { clients: size, atOnce: 1 }, use) }
    }),
  }
}
