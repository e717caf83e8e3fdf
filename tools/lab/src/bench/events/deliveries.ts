import { setTimeout } from 'node:timers/promises'
import { contender } from '../../harness/contender.ts'
import { percentile } from '../../harness/percentile.ts'
import { startStopwatch } from '../../harness/stopwatch.ts'
import { type CountingSink, startCountingSink } from './counting-sink.ts'
import { createPoster, now, type Poster } from './poster.ts'

const EVENTS = 3000
/** Until all that an event passes is compiled: before that, each costs twice as much, on both sides. */
const WARM_UP_EVENTS = 30_000
const ONE_BY_ONE = 40
/** A calm pace, for three seconds. */
const CALM = { count: 600, perSecond: 200 }

/** A poster, and two sinks at an address of this machine, which end with the stack. */
export async function openSinks(opened: AsyncDisposableStack, host?: string) {
  const poster = opened.use(createPoster())
  const subscribers = [opened.use(await startCountingSink(host)), opened.use(await startCountingSink(host))]
  return {
    poster,
    subscribers,
    urls: subscribers.map(({ url }) => url),
    /** All processes that post and receive. */
    pids: [process.pid, ...subscribers.map(({ pid }) => pid)],
  }
}

interface DeliveryDeps {
  readonly poster: Poster
  readonly subscribers: readonly CountingSink[]
  readonly pids: readonly number[]
}

/** Contenders that post events to addresses and wait until both sinks have had them. */
export function deliveries({ poster, subscribers, pids }: DeliveryDeps) {
  const arrival = async (count: number) => Math.max(...(await Promise.all(subscribers.map((each) => each.next(count)))))
  const send = async (addresses: readonly string[], count: number) => {
    const arrived = arrival(count)
    await poster.post(addresses, count)
    return await arrived
  }
  const contenderTo =
    (measure: (addresses: readonly string[]) => Promise<number>) => (name: string, addresses: readonly string[]) =>
      contender(name, async () => {
        // This process may have been busy until kept connections were closed: it must notice that before it uses one.
        await setTimeout(1)
        return await measure(addresses)
      })
  const warm = new Set<string>()
  /** Under load for a while: a process that was idle has given back memory and what was compiled. */
  const warmUp = async (addresses: readonly string[]) => {
    const isWarm = warm.has(addresses.join())
    warm.add(addresses.join())
    await send(addresses, isWarm ? EVENTS : WARM_UP_EVENTS)
  }
  return {
    /** Events per CPU second of all processes together: poster, broker, Kafka and sinks. */
    through: contenderTo(async (addresses) => {
      await warmUp(addresses)
      const stopwatch = startStopwatch(...pids)
      await send(addresses, EVENTS)
      return EVENTS / stopwatch()
    }),
    /** Events per second of the clock, from the first post to the last arrival. */
    throughByClock: contenderTo(async (addresses) => {
      await warmUp(addresses)
      const startedAt = now()
      return (EVENTS * 1000) / ((await send(addresses, EVENTS)) - startedAt)
    }),
    /** One over the mean time from the post of an event to its arrival, one event after another. */
    alone: contenderTo(async (addresses) => {
      let elapsed = 0
      for (let count = 0; count < ONE_BY_ONE; count += 1) {
        const startedAt = now()
        elapsed += (await send(addresses, 1)) - startedAt
      }
      return (ONE_BY_ONE * 1000) / elapsed
    }),
    /** One over the time that the given part of events at a calm pace takes at most, from when it is due to its arrival at the later sink. */
    calm: (name: string, address: string, part: number) =>
      contender(name, async () => {
        const arrived = Promise.all(subscribers.map((each) => each.nextTimed(CALM.count)))
        await poster.postEvenly(address, CALM)
        const slower = (await arrived).map((milliseconds) => percentile(milliseconds, part))
        return 1000 / Math.max(...slower)
      }),
  }
}
