import { createKafka, createTopicAdmin, type KafkaClient } from '@taproom/messaging'
import { quietLog } from '../harness/quiet-log.ts'
import type { ServerProcess } from '../harness/server-process.ts'
import { startBundle } from './bundled.ts'

/** Starts the embedded broker on any core: its CPU time counts for no one contender. */
export async function startKafka(env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  return startBundle('embedded-kafka', { env: { KAFKA_PORT: '0', ...env }, isPinned: false })
}

/** A broker in memory with the topics of the beers. */
export interface Broker {
  readonly bootstrapServers: string
  readonly kafka: KafkaClient
}

/** Starts one, which ends with the stack. */
export async function startBroker(opened: AsyncDisposableStack): Promise<Broker> {
  const bootstrapServers = new URL(opened.use(await startKafka()).url).host
  const kafka = createKafka({ clientId: 'bench', bootstrapServers, log: quietLog })
  await using topics = createTopicAdmin(kafka)
  for (const topic of ['beer', 'priced-beer']) await topics.ensureTopic(topic)
  return { bootstrapServers, kafka }
}
