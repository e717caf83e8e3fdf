import type { ClusterOptions } from '../src/broker/cluster-options.ts'
import { openBroker, type SoleBroker } from '../src/broker/open-cluster.ts'

/** A broker without listeners, in memory and small unless `options` say otherwise. */
export function openTestBroker(options: Partial<ClusterOptions> = {}): SoleBroker {
  return openBroker({
    defaultPartitions: 1,
    autoCreateTopics: true,
    cleanerBackoffMs: 1000,
    limits: { maxPartitions: 10, maxGroups: 10, maxGroupMembers: 10, maxTransactionalIds: 10 },
    ...options,
  })
}
