import { waitFor } from '@taproom/testkit'
import { openStreamClient, type StreamClient } from '../../chaos/beers/stream-client.ts'
import type { LogRecord } from '../../chaos/topic-log.ts'
import { gatewayUrl, shell } from '../../harness/kubectl.ts'
import { startTopicReader } from '../topic-reader.ts'
import { type EventLoad, startEventLoad } from './event-load.ts'
import { type Requests, sendRequests } from './requests.ts'

/** As the streams ask for. */
const RECONNECT_MS = 1000
const FIRST_BEERS = { timeoutMs: 120_000 }

/** Clients of a whole system, through the Gateway, with what they saw. */
export interface Load {
  /** At half the rate each. */
  readonly claims: Requests
  readonly films: Requests
  readonly streams: readonly StreamClient[]
  readonly events: EventLoad
  /** Beers that were made, and those with a price. */
  beers(): Promise<{ readonly made: readonly LogRecord[]; readonly priced: readonly LogRecord[] }>
  /** Ends what clients do. What sinks say, and beers, are read until it is disposed of. */
  end(): Promise<void>
}

export interface LoadOptions {
  /** The part of a whole load, as text: a small machine, on which the cluster runs as well, takes less. Default 1. */
  readonly part?: string | undefined
  /** The part of the events, which cost Knative's own parts most. Default: as of the whole load. */
  readonly partOfEvents?: string | undefined
  /** Gives the token of each request for claims. Default: one that `pnpm run token` makes. */
  readonly token?: () => string
  /** How those who read topics get to Kafka, by the names of its variables. Default: without TLS and SASL. */
  readonly kafka?: Readonly<Record<string, string>>
}

/** A whole load: claims and films together, events, and clients of the stream. */
const WHOLE = { requestsPerSecond: 100, eventsPerSecond: 100, streams: 200 }

/** Starts clients at the Gateway, and those who read what became of what they asked for; every client has seen a beer. */
export async function startLoad({
  part = '1',
  partOfEvents = part,
  kafka = {},
  token,
}: LoadOptions): Promise<Load & AsyncDisposable> {
  const of = (whole: number) => whole * Number(part)
  await using opened = new AsyncDisposableStack()
  const url = await gatewayUrl()
  const bearer = token ?? (await developmentToken())
  const made = opened.use(await startTopicReader('beer', kafka))
  const priced = opened.use(await startTopicReader('priced-beer', kafka))
  const clients = opened.use(new AsyncDisposableStack())
  const claims = clients.use(
    sendRequests({
      url: `${url}/secure/claim`,
      headers: () => ({ authorization: `Bearer ${bearer()}` }),
      perSecond: of(WHOLE.requestsPerSecond / 2),
      check: () => undefined,
    }),
  )
  const films = clients.use(
    sendRequests({
      url: `${url}/movie`,
      perSecond: of(WHOLE.requestsPerSecond / 2),
      check: (body) => (JSON.parse(body).length === 6 ? undefined : `other films: ${body.slice(0, 200)}`),
    }),
  )
  const events = opened.use(await startEventLoad({ perSecond: WHOLE.eventsPerSecond * Number(partOfEvents) }))
  const streams = Array.from({ length: of(WHOLE.streams) }, () =>
    clients.use(openStreamClient(url, { reconnectMs: RECONNECT_MS })),
  )
  await waitFor('every client to see a beer', () => streams.every(({ seen }) => seen.length > 0), FIRST_BEERS)
  const rest = opened.move()
  return {
    claims,
    films,
    streams,
    events,
    beers: async () => ({ made: await made.records(), priced: await priced.records() }),
    async end() {
      await events.end()
      await clients.disposeAsync()
    },
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  }
}

async function developmentToken(): Promise<() => string> {
  const token = (await shell('pnpm -s run token')).trim()
  return () => token
}
