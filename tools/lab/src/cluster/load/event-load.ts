import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '@taproom/testkit'
import { gatewayUrl } from '../../harness/kubectl.ts'
import { followSinks } from '../sink-log.ts'
import { SINKS } from '../sinks.ts'
import { type Deliveries, readDeliveries } from './deliveries.ts'
import { type OfferedEvents, offerEvents } from './events.ts'

/** Events offered through the Gateway, and what sinks say of them. */
export interface EventLoad extends OfferedEvents {
  deliveries(): Promise<Deliveries>
  /** The accepted events that a sink has not got, each with the name of that sink; of some of them alone, when these are given. */
  missing(ids?: Iterable<string>): Promise<readonly string[]>
  /** Ends the offering. What sinks say is read until it is disposed of. */
  end(): Promise<void>
  /** Ends the offering, waits until no more is missing, three minutes at most, and gives what still is. */
  lost(): Promise<readonly string[]>
}

const SETTLED = { timeoutMs: 180_000, intervalMs: 2000 }

export async function startEventLoad({ perSecond }: { readonly perSecond: number }): Promise<EventLoad> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'cluster-events-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const log = join(folder, 'sinks.log')
  const sinks = opened.use(followSinks(log))
  const events = opened.use(offerEvents({ url: `${await gatewayUrl()}/brokers/default/default`, perSecond }))
  const rest = opened.move()

  async function deliveries(): Promise<Deliveries> {
    await sinks.catchUp()
    return readDeliveries(log)
  }

  async function missing(ids: Iterable<string> = events.accepted): Promise<readonly string[]> {
    const accepted = [...ids]
    const got = await deliveries()
    return SINKS.flatMap((sink) => accepted.filter((id) => !got[sink]?.has(id)).map((id) => `${id} for ${sink}`))
  }

  async function end(): Promise<void> {
    await events[Symbol.asyncDispose]()
  }

  return {
    accepted: events.accepted,
    get refusals() {
      return events.refusals
    },
    deliveries,
    missing,
    end,
    async lost() {
      await end()
      await waitFor('the last event', async () => (await missing()).length === 0, SETTLED).catch(() => undefined)
      return missing()
    },
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  }
}
