import { waitFor } from '@taproom/testkit'
import { APPS } from '../../harness/apps.ts'
import type { Area } from '../area.ts'
import { type FanOut, fanOut, markedBeer, openFanOut, STREAM_PATH } from '../beers/fan-out.ts'
import { startBeerStream } from '../beers/stream.ts'
import { startBroker } from '../broker.ts'
import { makeQuarkus } from './made-quarkus.ts'
import { startQuarkus } from './quarkus-process.ts'

const CLIENTS = [300, 1000]
/** Enough for the JVM to have compiled all that it will. */
const WARM_UP = 5

/** Priced beers to many clients: ours beside Quarkus, both reading the same topic. */
export async function openQuarkusStreamArea(opened: AsyncDisposableStack): Promise<Area> {
  const made = await makeQuarkus()
  const { bootstrapServers, kafka } = await startBroker(opened)
  const ours = opened.use(await startBeerStream(bootstrapServers))
  const theirs = opened.use(await startQuarkus(made, 'stream', { KAFKA_BOOTSTRAP_SERVERS: bootstrapServers }))
  const use = openFanOut(kafka, opened)
  const rows = CLIENTS.map((clients) => ({
    what: `SSE to ${clients} clients`,
    ours: fanOut(APPS.stream, ours, { clients, atOnce: 1 }, use),
    peer: fanOut('Quarkus', theirs, { clients, atOnce: 1 }, use),
    atLeast: 1,
  }))
  await untilReading(theirs.url + STREAM_PATH, use)
  for (const { peer } of rows) for (let run = 0; run < WARM_UP; run += 1) await peer.measure()
  return { unit: 'events per second of server CPU', rows }
}

/** Quarkus begins to read the topic, at its end, some time after its first client has come. */
async function untilReading(url: string, { crowd, topic, numbers }: FanOut): Promise<void> {
  await crowd.open(url, 1)
  await waitFor('a beer of Quarkus', async () => {
    await topic.send(markedBeer(numbers.next().value))
    return (await crowd.report()).events > 0
  })
  await crowd.leave()
}
