import type { Clock } from '../clock.ts'
import { elect, preferred, shrunk } from '../cluster/leadership.ts'
import type { Nodes } from '../cluster/nodes.ts'
import { DueWork } from '../due-work.ts'
import type { TopicCatalog } from '../topics/topic-catalog.ts'

/** How long after a broker is back leaders are the preferred ones again: Apache Kafka's leader.imbalance.check.interval.seconds. */
const REBALANCE_MS = 300_000

/** What happens to partitions when brokers go and come. */
export interface BrokerChanges {
  /** Others take over what a broker leads. Killed, it hands nothing over and saves nothing. */
  goDown(nodeId: number, options: { readonly isKilled: boolean }): void
  /** Opens the replicas of a broker again, which then copy what they missed. */
  comeUp(nodeId: number): void
  close(): void
}

export function brokerChanges(options: {
  readonly nodes: Nodes
  readonly topics: TopicCatalog
  /** Removes what a broker still has of topics that were deleted. */
  readonly clean: (nodeId: number) => void
  readonly clock: Clock
}): BrokerChanges {
  const { nodes, topics, clean, clock } = options
  const isLive = (id: number): boolean => nodes.isLive(id)
  const rebalance = new DueWork({
    work() {
      for (const { replicas } of topics.partitions) replicas.handOver((leadership) => preferred(leadership, isLive))
      return undefined
    },
    clock,
    firstMs: 0,
    intervalMs: REBALANCE_MS,
  })
  return {
    goDown(nodeId, { isKilled }) {
      const { partitions } = topics
      if (!isKilled) for (const { replicas } of partitions) replicas.copyInSync()
      nodes.setLive(nodeId, false)
      for (const { replicas } of partitions) replicas.closeReplica(nodeId, { isKilled })
      topics.lead((leadership, rules) => {
        const left = shrunk(leadership, (id) => id === nodeId)
        return elect(left, isLive, { unclean: rules.isUncleanElected })
      })
    },
    comeUp(nodeId) {
      clean(nodeId)
      nodes.setLive(nodeId, true)
      topics.elect()
      for (const { replicas } of topics.partitions) replicas.settle()
      rebalance.expectAt(clock.now() + REBALANCE_MS)
    },
    close: () => rebalance.close(),
  }
}
