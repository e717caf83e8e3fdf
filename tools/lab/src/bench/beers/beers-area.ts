import { APPS } from '../../harness/apps.ts'
import { startServer } from '../../harness/server-process.ts'
import type { Area, Row } from '../area.ts'
import { startBroker } from '../broker.ts'
import { startBundle } from '../bundled.ts'
import { limit } from '../contenders.ts'
import { fanOut, memory, openFanOut } from './fan-out.ts'
import { openPricing } from './pricing.ts'
import { startBeerStream } from './stream.ts'

const peer = (name: string) => new URL(`./${name}-main.ts`, import.meta.url)
const KIB_PER_CLIENT = 24

/** Our stream beside bare sockets and better-sse, all reading the same topic; our pricing beside a loop on kafkajs. */
export async function openBeersArea(opened: AsyncDisposableStack): Promise<Area> {
  const broker = await startBroker(opened)
  const args = [broker.bootstrapServers]
  const startStream = () => startBeerStream(broker.bootstrapServers)
  const startBetterSse = () => startServer(peer('better-sse'), { args })
  const stream = opened.use(await startStream())
  const net = opened.use(await startServer(peer('net'), { args }))
  const betterSse = opened.use(await startBetterSse())
  const use = openFanOut(broker.kafka, opened)

  const fanOutRows = [1000, 5000].flatMap((clients): Row[] => {
    const what = `SSE to ${clients} clients`
    const traffic = { clients, atOnce: 1 }
    const ours = fanOut(APPS.stream, stream, traffic, use)
    return [{ what, ours, peer: fanOut('bare node:net writes', net, traffic, use), atLeast: 0.98 }]
  })
  const burst = { clients: 1000, atOnce: 8 }
  const burstRow: Row = {
    what: 'SSE to 1000 clients, 8 at once',
    ours: fanOut(APPS.stream, stream, burst, use),
    peer: fanOut('better-sse', betterSse, burst, use),
  }
  const memoryOfOurs = memory(APPS.stream, startStream, 5000, use)
  const memoryRows: Row[] = [
    {
      what: 'clients in 1 MiB of memory',
      ours: memoryOfOurs,
      peer: limit(`${KIB_PER_CLIENT} KiB each`, KIB_PER_CLIENT / 1024),
      atLeast: 1,
    },
    { what: 'clients in 1 MiB of memory', ours: memoryOfOurs, peer: memory('better-sse', startBetterSse, 5000, use) },
  ]
  const ours = await startBroker(opened)
  const theirs = await startBroker(opened)
  const pricing = opened.use(
    await startBundle(APPS.prices, { env: { KAFKA_BOOTSTRAP_SERVERS: ours.bootstrapServers } }),
  )
  const loop = opened.use(await startServer(peer('pricing-loop'), { args: [theirs.bootstrapServers] }))
  const pricingRow: Row = {
    what: 'beers priced exactly once',
    ours: await openPricing(APPS.prices, ours, pricing, opened),
    peer: await openPricing('kafkajs loop', theirs, loop, opened),
    atLeast: 0.8,
  }
  return {
    unit: 'per second of server CPU',
    rows: [...fanOutRows, burstRow, ...memoryRows, pricingRow],
  }
}
