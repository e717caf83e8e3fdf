import { parseEvent } from '@taproom/events'
import { SMALL_HEAP } from '@taproom/processes'
import { residentBytes } from '@taproom/testkit'
import { HTTP } from 'cloudevents'
import { APPS } from '../../harness/apps.ts'
import { startLoad } from '../../harness/http-load.ts'
import { startServer } from '../../harness/server-process.ts'
import type { Area, Row } from '../area.ts'
import { inProcess, limit } from '../contenders.ts'
import { startBroker } from './broker-system.ts'
import { deliveries, openSinks } from './deliveries.ts'
import { EVENT_BODY, EVENT_HEADERS } from './sample-event.ts'

const CALLS = 50_000
const MEBIBYTE = 1024 * 1024

/** Parsing, a sink, and the way of an event through the broker, each beside what is used without Taproom. */
export async function openEventsArea(opened: AsyncDisposableStack): Promise<Area> {
  const sink = async (kind: string) =>
    opened.use(await startServer(new URL('./sink-main.ts', import.meta.url), { args: [kind], nodeArgs: SMALL_HEAP }))
  const sinks = { taproom: await sink('taproom'), drain: await sink('drain'), sdk: await sink('sdk') }
  const load = opened.use(startLoad())
  const request = { path: '/', post: { headers: EVENT_HEADERS, body: EVENT_BODY.toString() }, seconds: 0.6 }

  const { urls, ...both } = await openSinks(opened)
  const broker = await startBroker(urls, opened)
  const { through, throughByClock, alone, calm } = deliveries({ ...both, pids: [...both.pids, ...broker.pids] })
  const [direct, directByClock] = [through('posted to both', urls), throughByClock('posted to both', urls)]
  const calmRow = (words: string, part: number, milliseconds: number): Row => ({
    what: `to two sinks, 200 a second, ${words} within`,
    ours: calm('by the broker, durable', broker.url, part),
    peer: limit(`${milliseconds} ms`, milliseconds / 1000),
    atLeast: 1,
  })

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
        peer: direct,
        atLeast: 0.5,
      },
      {
        what: 'to two sinks, by the clock',
        ours: throughByClock('by the broker, durable', [broker.url]),
        peer: directByClock,
        atLeast: 0.5,
      },
      {
        what: 'to two sinks, one at a time, by the clock',
        ours: alone('by the broker, durable', [broker.url]),
        peer: alone('posted to both', urls),
      },
      calmRow('half', 0.5, 1.9),
      calmRow('99 of 100', 0.99, 8),
      {
        what: 'memory after that',
        ours: { name: APPS.events, measure: async () => MEBIBYTE / residentBytes(broker.platformPid) },
        peer: limit('150 MiB', 150),
        atLeast: 1,
      },
    ],
  }
}
