import { APPS } from '../../harness/apps.ts'
import { type Contender, perCpuSecond } from '../../harness/contender.ts'
import { startBroker } from '../events/broker-system.ts'
import { startCountingSink } from '../events/counting-sink.ts'
import { createPoster } from '../events/poster.ts'
import type { Curve } from './curve.ts'

const PLATFORM = `CPU time of ${APPS.events} and Kafka`
/** With the two others, less than the 1000 objects that the platform keeps. */
const OTHERS = [9, 90, 900]
const MATCHING = [1, 10, 100]
/** Deliveries to all triggers together, in one measurement. */
const DELIVERIES = 3000
/** With few events, each fetch of the log brings one or two. */
const FEWEST_EVENTS = 100

interface Triggers {
  readonly matching: number
  readonly others: number
}

/** Triggers that match no event, besides one that does. */
export async function openTriggersCurve(opened: AsyncDisposableStack): Promise<Curve> {
  return {
    of: 'triggers',
    what: `${PLATFORM} for an event that none of the triggers matches but one more`,
    points: await events(OTHERS, (others) => ({ matching: 1, others }), opened),
  }
}

/** Triggers that match every event. */
export async function openMatchingCurve(opened: AsyncDisposableStack): Promise<Curve> {
  return {
    of: 'triggers',
    what: `${PLATFORM} for an event that goes to the sink of each of the triggers`,
    points: await events(MATCHING, (matching) => ({ matching, others: 0 }), opened),
  }
}

async function events(
  sizes: readonly number[],
  triggersOf: (size: number) => Triggers,
  opened: AsyncDisposableStack,
): Promise<Curve['points']> {
  const points: { size: number; contender: Contender }[] = []
  for (const size of sizes) points.push({ size, contender: await openEvents(triggersOf(size), opened) })
  return points
}

/** Events per second of the CPU time of both. */
async function openEvents({ matching, others }: Triggers, opened: AsyncDisposableStack): Promise<Contender> {
  const sink = opened.use(await startCountingSink())
  const poster = opened.use(createPoster())
  const { url, pids } = await startBroker(Array<string>(matching).fill(sink.url), opened, { others })
  const count = Math.max(FEWEST_EVENTS, DELIVERIES / matching)
  return perCpuSecond(`${matching} triggers that match, ${others} others`, pids, async () => {
    const arrived = sink.next(count * matching)
    await poster.post([url], count)
    await arrived
    return count
  })
}
