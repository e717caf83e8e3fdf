import { waitFor } from '@taproom/testkit'
import { comparePrices, compareSeen, type Findings, hasSeenLast } from '../../chaos/beers/findings.ts'
import { APPS } from '../../harness/apps.ts'
import { inTaproom } from '../../harness/kubectl.ts'
import type { Load } from './load.ts'

/** Ends the making of beers, waits until every client has seen the last one, and says what is wrong with what came. */
export async function beersOutcome(
  load: Pick<Load, 'beers' | 'streams'>,
): Promise<{ readonly summary: string; readonly findings: Findings }> {
  await inTaproom('scale', `deployment/${APPS.beers}`, '--replicas=0')
  await inTaproom('wait', '--for=delete', 'pod', `--selector=app.kubernetes.io/name=${APPS.beers}`, '--timeout=120s')
  const settled = { timeoutMs: 120_000, intervalMs: 1000 }
  await waitFor('every client to see the last beer', () => haveAllSeenLast(load), settled).catch(() => undefined)
  const { made, priced } = await load.beers()
  const missed = load.streams.flatMap(({ seen }) => compareSeen(priced, seen))
  return {
    summary: `${made.length} beers, ${priced.length} with a price, for ${load.streams.length} clients`,
    findings: [...comparePrices(made, priced), ...missed],
  }
}

async function haveAllSeenLast(load: Pick<Load, 'beers' | 'streams'>): Promise<boolean> {
  const { made, priced } = await load.beers()
  return made.length > 0 && made.length === priced.length && load.streams.every(({ seen }) => hasSeenLast(priced, seen))
}

/**
 * Ends what clients do, and gives the accepted events that a sink has not got in the end, each with the name of that sink. Few may be where
 * pods were killed, whose last lines cannot be read any more.
 */
export async function eventsOutcome(load: Load) {
  await load.end()
  const lost = await load.events.lost()
  const accepted = load.events.accepted.size
  const summary = `${accepted} events were accepted, of ${lost.length} deliveries nothing was read: ${lost}`
  return { summary, lost, few: accepted / 100 }
}
