import type { Broker } from '../src/broker/broker.ts'
import type { ClusterOptions } from '../src/broker/cluster-options.ts'
import { openCluster } from '../src/broker/open-cluster.ts'

/** A broker that is alone. */
export interface SoleBroker extends Broker {
  close(): void
}

/** A broker without listeners, in memory and small unless `options` say otherwise. */
export function openTestBroker(options: Partial<ClusterOptions> = {}): SoleBroker {
  const { brokers, close } = openCluster({
    defaultPartitions: 1,
    autoCreateTopics: true,
    cleanerBackoffMs: 1000,
    limits: { maxPartitions: 10, maxTopicPartitions: 10, maxGroups: 10, maxGroupMembers: 10, maxTransactionalIds: 10 },
    ...options,
  })
  return { ...brokers[0], close }
}
