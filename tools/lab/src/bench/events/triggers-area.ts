import { setTimeout } from 'node:timers/promises'
import { APPS } from '../../harness/apps.ts'
import { type Contender, contender } from '../../harness/contender.ts'
import { startStopwatch } from '../../harness/stopwatch.ts'
import type { Area } from '../area.ts'
import { limit } from '../contenders.ts'
import { SAMPLED, startCollector } from '../traces/traced-areas.ts'
import { type BrokerSystem, startBroker } from './broker-system.ts'
import { deliveries, openSinks } from './deliveries.ts'

const SETTLED_MS = 3000
const IDLE_SECONDS = 10

/** The cost of triggers that do not match: the way of an event to two sinks with many of them, beside the same with none. */
export async function openTriggersArea(opened: AsyncDisposableStack): Promise<Area> {
  const { urls, ...both } = await openSinks(opened)
  const beside = (broker: BrokerSystem, others: number): Contender =>
    deliveries({ ...both, pids: broker.pids }).through(`beside ${others} others`, [broker.url])
  const alone = beside(await startBroker(urls, opened), 0)
  const hundred = await startBroker(urls, opened, { others: 100 })
  const hundreds = await startBroker(urls, opened, { others: 900 })
  const env = { ...(await startCollector(opened)), ...SAMPLED }
  const tracedAlone = await startBroker(urls, opened, { env })
  const tracedHundred = await startBroker(urls, opened, { env, others: 100 })
  return {
    unit: 'events per second of CPU',
    rounds: 7,
    rows: [
      { what: '100 triggers that do not match', ours: beside(hundred, 100), peer: alone, atLeast: 0.9 },
      { what: '900 triggers that do not match', ours: beside(hundreds, 900), peer: alone, atLeast: 0.7 },
      {
        what: '100 of them, 1 % of all traces recorded',
        ours: beside(tracedHundred, 100),
        peer: beside(tracedAlone, 0),
        atLeast: 0.9,
      },
      {
        what: '100 triggers, nothing to do',
        ours: idle(hundred.platformPid),
        peer: limit('0.5 % of a core', 0.005),
        atLeast: 1,
      },
    ],
  }
}

/** Seconds of the clock for one of CPU time, while there are no events. */
function idle(pid: number): Contender {
  return contender(APPS.events, async () => {
    // Until the work that earlier events have left is done.
    await setTimeout(SETTLED_MS)
    const stopwatch = startStopwatch(pid)
    await setTimeout(IDLE_SECONDS * 1000)
    return IDLE_SECONDS / stopwatch()
  })
}
