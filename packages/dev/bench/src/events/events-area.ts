import { parseEvent } from '@taproom/events'
import { HTTP } from 'cloudevents'
import type { Area, Contender } from '../area.ts'
import { inProcess } from '../in-process.ts'
import { startLoad } from '../load.ts'
import { startServer } from '../server-process.ts'
import { startStopwatch } from '../stopwatch.ts'
import { startBroker } from './broker-system.ts'
import { type CountingSink, startCountingSink } from './counting-sink.ts'
import { createPoster, type Poster } from './poster.ts'
import { EVENT_BODY, EVENT_HEADERS } from './sample-event.ts'

const CALLS = 50_000
const EVENTS = 3000
const ONE_BY_ONE = 40

/** Parsing, a sink, and the way of an event through the broker, each beside what is used without Taproom. */
export async function openEventsArea(opened: AsyncDisposableStack): Promise<Area> {
  const sink = async (kind: string) =>
    opened.use(await startServer(new URL('./sink-main.ts', import.meta.url), { args: [kind] }))
  const sinks = { taproom: await sink('taproom'), drain: await sink('drain'), sdk: await sink('sdk') }
  const load = opened.use(startLoad())
  const request = { path: '/', post: { headers: EVENT_HEADERS, body: EVENT_BODY.toString() }, seconds: 0.6 }

  const subscribers = [opened.use(await startCountingSink()), opened.use(await startCountingSink())]
  const urls = subscribers.map(({ url }) => url)
  const broker = await startBroker(urls, opened)
  const poster = opened.use(createPoster())
  const pids = [process.pid, ...subscribers.map(({ pid }) => pid), ...broker.pids]
  const { through, throughByClock, alone } = deliveries({ poster, subscribers, pids })

  const parsing = inProcess('parseEvent', () => parseEvent(EVENT_HEADERS, EVENT_BODY), { calls: CALLS })
  const text = EVENT_BODY.toString()
  const ours = load.contender('receiveEvents', sinks.taproom, request)
  return {
    unit: 'a second of CPU, or of the clock',
    rows: [
      {
        what: 'parsing',
        ours: parsing,
        peer: inProcess('cloudevents SDK', () => HTTP.toEvent({ headers: EVENT_HEADERS, body: text }), { calls: 5000 }),
        atLeast: 10,
      },
      { what: 'parsing', ours: parsing, peer: inProcess('nothing', () => {}, { calls: CALLS }), atMostLonger: 2e-6 },
      { what: 'a sink', ours, peer: load.contender('drains only', sinks.drain, request), atLeast: 0.85 },
      { what: 'a sink', ours, peer: load.contender('cloudevents SDK', sinks.sdk, request) },
      {
        what: 'to two sinks',
        ours: through('by the broker, durable', [broker.url]),
        peer: through('posted to both', urls),
        atLeast: 0.5,
      },
      {
        what: 'to two sinks, by the clock',
        ours: throughByClock('by the broker, durable', [broker.url]),
        peer: throughByClock('posted to both', urls),
      },
      {
        what: 'to two sinks, one at a time, by the clock',
        ours: alone('by the broker, durable', [broker.url]),
        peer: alone('posted to both', urls),
      },
    ],
  }
}

interface DeliveryDeps {
  readonly poster: Poster
  readonly subscribers: readonly CountingSink[]
  readonly pids: readonly number[]
}

/** Contenders that post events to addresses and wait until both sinks have had them. */
function deliveries({ poster, subscribers, pids }: DeliveryDeps) {
  const arrival = async (count: number) => Math.max(...(await Promise.all(subscribers.map((each) => each.next(count)))))
  const send = async (addresses: readonly string[], count: number) => {
    const arrived = arrival(count)
    await poster.post(addresses, count)
    return await arrived
  }
  const contender =
    (measure: (addresses: readonly string[]) => Promise<number>) =>
    (name: string, addresses: readonly string[]): Contender => ({ name, measure: () => measure(addresses) })
  return {
    /** Events per CPU second of all processes together: poster, broker, Kafka and sinks. */
    through: contender(async (addresses) => {
      const stopwatch = startStopwatch(...pids)
      await send(addresses, EVENTS)
      return EVENTS / stopwatch()
    }),
    /** Events per second of the clock, from the first post to the last arrival. */
    throughByClock: contender(async (addresses) => {
      const startedAt = now()
      return (EVENTS * 1000) / ((await send(addresses, EVENTS)) - startedAt)
    }),
    /** One over the mean time from the post of an event to its arrival, one event after another. */
    alone: contender(async (addresses) => {
      let elapsed = 0
      for (let count = 0; count < ONE_BY_ONE; count += 1) {
        const startedAt = now()
        elapsed += (await send(addresses, 1)) - startedAt
      }
      return (ONE_BY_ONE * 1000) / elapsed
    }),
  }
}

function now(): number {
  return performance.timeOrigin + performance.now()
}
