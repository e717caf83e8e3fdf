import { createKafka, createTopicAdmin, type KafkaClient } from '@taproom/messaging'
import { quietLog } from '../quiet-log.ts'
import { startServer } from '../server-process.ts'

export interface Broker extends AsyncDisposable {
  readonly bootstrapServers: string
  readonly kafka: KafkaClient
}

const embeddedKafka = new URL('../../../embedded-kafka/src/main.ts', import.meta.url)

/** Starts the embedded broker in memory, on any core: its CPU time counts for no contender. */
export async function startBroker(): Promise<Broker> {
  await using opened = new AsyncDisposableStack()
  const process = opened.use(await startServer(embeddedKafka, { env: { KAFKA_PORT: '0' }, isPinned: false }))
  const bootstrapServers = new URL(process.url).host
  const kafka = createKafka({ clientId: 'bench', bootstrapServers, log: quietLog })
  await using topics = createTopicAdmin(kafka)
  for (const topic of ['beer', 'priced-beer']) await topics.ensureTopic(topic)
  const resources = opened.move()
  return { bootstrapServers, kafka, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}
