import { join } from 'node:path'
import { type LogRecord, openStreamClient, type StreamClient } from '@taproom/chaos/beers'
import { gatewayUrl, shell } from '../kubectl.ts'
import { followSinks } from '../sink-log.ts'
import { startTopicReader } from '../topic-reader.ts'
import { type Deliveries, readDeliveries } from './deliveries.ts'
import { type OfferedEvents, offerEvents } from './events.ts'
import { type Requests, sendRequests } from './requests.ts'

/** As the streams ask for. */
const RECONNECT_MS = 1000

/** What clients of a whole system see and do, through the Gateway. */
export interface Load {
  /** At half the rate each. */
  readonly claims: Requests
  readonly films: Requests
  readonly streams: readonly StreamClient[]
  readonly events: OfferedEvents
  /** Beers that were made, and those with a price. */
  beers(): Promise<{ readonly made: readonly LogRecord[]; readonly priced: readonly LogRecord[] }>
  deliveries(): Promise<Deliveries>
  /** Ends what clients do. What sinks say, and beers, are read until it is disposed of. */
  end(): Promise<void>
}

export interface LoadOptions {
  /** For files of its own. */
  readonly folder: string
  /** Claims and films together. */
  readonly requestsPerSecond: number
  readonly eventsPerSecond: number
  readonly streams: number
}

/** Starts clients at the Gateway, and those who read what became of what they asked for. */
export async function startLoad({
  folder,
  requestsPerSecond,
  eventsPerSecond,
  streams: count,
}: LoadOptions): Promise<Load & AsyncDisposable> {
  await using opened = new AsyncDisposableStack()
  const url = await gatewayUrl()
  const token = (await shell('pnpm -s run token')).trim()
  const log = join(folder, 'sinks.log')
  opened.use(followSinks(log))
  const made = opened.use(await startTopicReader('beer'))
  const priced = opened.use(await startTopicReader('priced-beer'))
  const clients = opened.use(new AsyncDisposableStack())
  const claims = clients.use(
    sendRequests({
      url: `${url}/secure/claim`,
      headers: { authorization: `Bearer ${token}` },
      perSecond: requestsPerSecond / 2,
      check: () => undefined,
    }),
  )
  const films = clients.use(
    sendRequests({
      url: `${url}/movie`,
      perSecond: requestsPerSecond / 2,
      check: (body) => (JSON.parse(body).length === 6 ? undefined : `other films: ${body.slice(0, 200)}`),
    }),
  )
  const events = clients.use(offerEvents({ url: `${url}/brokers/default/default`, perSecond: eventsPerSecond }))
  const streams = Array.from({ length: count }, () => clients.use(openStreamClient(url, { reconnectMs: RECONNECT_MS })))
  const rest = opened.move()
  return {
    claims,
    films,
    streams,
    events,
    beers: async () => ({ made: await made.records(), priced: await priced.records() }),
    deliveries: () => readDeliveries(log),
    end: () => clients.disposeAsync(),
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  }
}
