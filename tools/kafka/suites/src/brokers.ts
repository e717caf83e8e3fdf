import { startEmbeddedKafka } from '@taproom/embedded-kafka'
import { startApacheKafka } from './apache-kafka.ts'
import { type BrokerKind, MIN_SESSION } from './broker-kind.ts'

export const EMBEDDED: BrokerKind = {
  name: 'embedded-kafka',
  async start(needs) {
    const { brokers = 1, listeners, advertisedListeners = listeners, security, scramUsers = [] } = needs
    const cluster = await startEmbeddedKafka({
      brokers,
      ...(needs.hasRacks === true && { racks: Array.from({ length: brokers }, (_, index) => String(index + 1)) }),
      listeners,
      advertisedListeners,
      autoCreateTopics: needs.autoCreateTopics ?? true,
      defaultPartitions: needs.defaultPartitions ?? 1,
      properties: { ...MIN_SESSION, ...security },
      ...(scramUsers.length > 0 && { addScram: scramUsers.join(',') }),
    })
    const brokerOf = (nodeId: number) => cluster.brokers.find((broker) => broker.nodeId === nodeId)
    return {
      bootstrapServers: cluster.bootstrapServers,
      stop: async (nodeId) => await brokerOf(nodeId)?.stop(),
      start: async (nodeId) => await brokerOf(nodeId)?.start(),
      [Symbol.asyncDispose]: () => cluster.close(),
    }
  },
}

export const APACHE: BrokerKind = { name: 'Apache Kafka', start: startApacheKafka }
