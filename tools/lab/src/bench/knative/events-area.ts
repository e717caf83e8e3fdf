import { residentBytes } from '@taproom/testkit'
import { APPS } from '../../harness/apps.ts'
import type { Contender } from '../../harness/contender.ts'
import type { Area, Row } from '../area.ts'
import { startBroker } from '../events/broker-system.ts'
import { deliveries, openSinks } from '../events/deliveries.ts'
import { makeKnativeBroker, ownAddress } from './knative-cluster.ts'

const GIBIBYTE = 1024 ** 3

/** The way of an event through the event platform, durable, beside Knative's own broker with its channel in memory, to the same two sinks. */
export async function openKnativeEventsArea(opened: AsyncDisposableStack): Promise<Area> {
  const host = await ownAddress()
  const { urls, ...both } = await openSinks(opened, host)
  const knative = await makeKnativeBroker(urls, opened)
  const broker = await startBroker(urls, opened)
  const side = (pids: readonly number[]) => deliveries({ ...both, pids: [...both.pids, ...pids] })
  const [ours, theirs] = [side(broker.pids), side(knative.pids)]
  const row = (what: string, contender: (of: typeof ours, name: string, url: string) => Contender): Row => ({
    what,
    ours: contender(ours, `${APPS.events}, durable`, broker.url),
    peer: contender(theirs, 'Knative, in memory', knative.url),
    atLeast: 1,
  })
  const memory = (name: string, pids: readonly number[]): Contender => ({
    name,
    measure: async () => GIBIBYTE / pids.reduce((sum, pid) => sum + residentBytes(pid), 0),
  })
  return {
    unit: 'a second of CPU, or of the clock',
    rows: [
      row('to two sinks', (of, name, url) => of.through(name, [url])),
      row('to two sinks, by the clock', (of, name, url) => of.throughByClock(name, [url])),
      row('to two sinks, one at a time, by the clock', (of, name, url) => of.alone(name, [url])),
      row('to two sinks, 200 a second, 1 / half', (of, name, url) => of.calm(name, url, 0.5)),
      row('to two sinks, 200 a second, 1 / 99 of 100', (of, name, url) => of.calm(name, url, 0.99)),
      {
        what: 'after that, of all processes, in 1 GiB',
        ours: memory(`${APPS.events} and Kafka`, broker.pids),
        peer: memory('Knative', knative.pids),
      },
    ],
  }
}
