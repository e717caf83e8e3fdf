import { APPS } from '../../harness/apps.ts'
import type { Area } from '../area.ts'
import { startBroker } from '../events/broker-system.ts'
import { startCountingSink } from '../events/counting-sink.ts'
import { deliveries } from '../events/deliveries.ts'
import { createPoster } from '../events/poster.ts'
import { TRACED_ROUNDS, tracedRows } from './traced.ts'

const WARM_UPS = 4

/** From a post to the platform, through Kafka's log on disk, to two sinks; the CPU time is that of platform and Kafka. */
export async function openTracedEventsArea(opened: AsyncDisposableStack): Promise<Area> {
  const poster = opened.use(createPoster())
  const subscribers = [opened.use(await startCountingSink()), opened.use(await startCountingSink())]
  const urls = subscribers.map((sink) => sink.url)
  return {
    unit: 'events per second of CPU',
    rounds: TRACED_ROUNDS,
    rows: await tracedRows(APPS.events, opened, async (env, ownStack) => {
      const { url, pids } = await startBroker(urls, ownStack, { env })
      const { measure } = deliveries({ poster, subscribers, pids }).through(APPS.events, [url])
      return {
        measure,
        async warmUp() {
          for (let count = 0; count < WARM_UPS; count += 1) await measure()
        },
      }
    }),
  }
}
