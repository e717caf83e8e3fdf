import { createTopicAdmin, type KafkaClient } from '@taproom/messaging'
import { startHttpServer, type TestHttpServer, waitFor, waitUntilReady } from '@taproom/testkit'
import { APPS, type App, fileAt, mainOf } from '../../harness/apps.ts'
import { type Broker, type ExternalKafka, startEmbeddedBroker, useExternalKafka } from '../../harness/broker.ts'
import { makeService, type Service } from '../../harness/service.ts'

/** The three beer services as processes, over a broker and a beer service with a thousand beers. */
export interface BeerSystem extends AsyncDisposable {
  readonly broker: Broker
  readonly generator: Service
  readonly pricing: Service
  readonly stream: Service
}

export interface BeerSystemOptions {
  readonly rate: number
  readonly partitions: number
  readonly kafka?: ExternalKafka | undefined
  /** Delete the records of the topics and the group that reads them; otherwise they must be empty. */
  readonly fresh?: boolean
}

/** The two topics; a beer has the same partition in both. */
export const TOPICS = { beers: 'beer', pricedBeers: 'priced-beer' } as const
/** Enough names to show a lost, doubled or misplaced beer by their sequence. */
const BEERS = 1000

/** Starts the broker, pricing and stream, and waits until both read; the caller starts the generator. */
export async function startBeerSystem(options: BeerSystemOptions): Promise<BeerSystem> {
  await using opened = new AsyncDisposableStack()
  const broker = opened.use(options.kafka === undefined ? await startEmbeddedBroker() : useExternalKafka(options.kafka))
  await prepareTopics(broker.kafka, options)
  const beerService = opened.use(await startBeerService())
  const env = { KAFKA_BOOTSTRAP_SERVERS: broker.bootstrapServers, BEER_SERVICE_URL: beerService.url }
  const make = async (name: App, extra: Record<string, string> = {}) =>
    opened.use(
      await makeService({
        name,
        main: fileAt(mainOf(name)),
        env: () => ({ ...env, ...extra }),
      }),
    )
  const pricing = await make(APPS.prices)
  const stream = await make(APPS.stream)
  const generator = await make(APPS.beers, {
    BEER_INTERVAL_MS: String(Math.max(1, Math.round(1000 / options.rate))),
    BEER_LIST_SIZE: String(BEERS),
  })
  for (const service of [pricing, stream]) service.start()
  await Promise.all([pricing, stream].map(({ url }) => waitUntilReady(url)))
  const resources = opened.move()
  return {
    broker,
    generator,
    pricing,
    stream,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

async function prepareTopics(kafka: KafkaClient, { partitions, fresh = false }: BeerSystemOptions): Promise<void> {
  await using topics = createTopicAdmin(kafka)
  for (const topic of Object.values(TOPICS)) {
    if (fresh) await topics.deleteTopic(topic).catch(() => undefined)
    // A topic being deleted still exists for a moment.
    await waitFor(`the topic ${topic}`, () => topics.ensureTopic(topic, partitions).then(() => true))
    const ends = await topics.endOffsets(topic)
    if (ends.some((end) => end !== '0'))
      throw new Error(`the topic ${topic} is not empty: name another Kafka, or --fresh`)
  }
  if (fresh) await topics.deleteGroup(APPS.prices).catch(() => undefined)
}

/** A beer service of one page. */
function startBeerService(): Promise<TestHttpServer> {
  const beers = Array.from({ length: BEERS }, (_, i) => ({ name: `Beer ${i}`, tagline: `Number ${i}.`, abv: 5 }))
  const [page, end] = [JSON.stringify(beers), '[]']
  return startHttpServer((req, res) => {
    res.end(new URL(req.url ?? '', 'http://beers').searchParams.get('page') === '1' ? page : end)
  })
}
