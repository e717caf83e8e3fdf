import { APPS } from '../../harness/apps.ts'
import { fanOut, openFanOut } from '../beers/fan-out.ts'
import { startBeerStream } from '../beers/stream.ts'
import { startBroker } from '../broker.ts'
import type { Curve } from './curve.ts'

const SIZES = [50, 500, 5000]

/** Clients of the stream. */
export async function openClientsCurve(opened: AsyncDisposableStack): Promise<Curve> {
  const { kafka, bootstrapServers } = await startBroker(opened)
  const server = opened.use(await startBeerStream(bootstrapServers))
  const use = openFanOut(kafka, opened)
  return {
    of: 'clients',
    what: `CPU time of ${APPS.stream} for an event that goes to each of its clients`,
    points: SIZES.map((size) => {
      return { size, calls: size, contender: fanOut(`${size} clients`, server, { clients: size, atOnce: 1 }, use) }
    }),
  }
}
