import type { Area, Contender } from '../area.ts'
import { startBroker } from './broker-system.ts'
import { startCountingSink } from './counting-sink.ts'
import { deliveries } from './deliveries.ts'
import { createPoster } from './poster.ts'

/** What a trigger costs that does not match: the way of an event to two sinks with many of them, beside the same with none. */
export async function openTriggersArea(opened: AsyncDisposableStack): Promise<Area> {
  const poster = opened.use(createPoster())
  const subscribers = [opened.use(await startCountingSink()), opened.use(await startCountingSink())]
  const urls = subscribers.map(({ url }) => url)
  const beside = async (others: number): Promise<Contender> => {
    const { url, pids } = await startBroker(urls, opened, { others })
    return deliveries({ poster, subscribers, pids }).through(`beside ${others} others`, [url])
  }
  const alone = await beside(0)
  return {
    unit: 'events per second of CPU',
    rounds: 7,
    rows: [
      { what: '100 triggers that do not match', ours: await beside(100), peer: alone, atLeast: 0.9 },
      { what: '900 triggers that do not match', ours: await beside(900), peer: alone, atLeast: 0.7 },
    ],
  }
}
