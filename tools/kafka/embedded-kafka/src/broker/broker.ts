import type { Clock } from '../clock.ts'
import type { Nodes } from '../cluster/nodes.ts'
import type { FaultRules } from '../faults/fault-rules.ts'
import type { Features } from '../features/features.ts'
import type { GroupCoordinator } from '../groups/group-coordinator.ts'
import type { ErrorCode } from '../protocol/error-code.ts'
import type { ClientThrottle } from '../quotas/client-throttle.ts'
import type { QuotaStore } from '../quotas/quota-store.ts'
import type { AclStore } from '../security/acl/acl-store.ts'
import type { Authorizer } from '../security/acl/authorizer.ts'
import type { ScramCredentials } from '../security/scram-credentials.ts'
import type { FetchSessions } from '../sessions/fetch-sessions.ts'
import type { ShareSessions } from '../sessions/share-sessions.ts'
import type { BrokerConfigs } from '../settings/broker-configs.ts'
import type { BrokerSetting } from '../settings/broker-settings.ts'
import type { Partition } from '../topics/partition.ts'
import type { TopicCatalog } from '../topics/topic-catalog.ts'
import type { TransactionCoordinator } from '../transactions/transaction-coordinator.ts'
import type { Clients } from './clients.ts'
import type { Coordinators } from './coordinators.ts'

/** What all brokers of a cluster have in common. */
export interface SharedState {
  readonly clusterId: string
  readonly autoCreateTopics: boolean
  /** Leaders name the nearest replica to clients that say where they are (KIP-392). */
  readonly isRackAware: boolean
  readonly clock: Clock
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly nodes: Nodes
  readonly topics: TopicCatalog
  readonly brokerConfigs: BrokerConfigs
  readonly coordinators: Coordinators
  readonly groups: GroupCoordinator
  readonly transactions: TransactionCoordinator
  readonly clients: Clients
  /** What tests have go wrong. */
  readonly faults: FaultRules
  readonly scramCredentials: ScramCredentials
  readonly acls: AclStore
  readonly quotas: QuotaStore
  readonly features: Features
  /** Undefined: everybody may do everything. */
  readonly authorizer: Pick<Authorizer, 'allows' | 'allowsAny'> | undefined
}

/** One broker, as the handlers of requests see it. */
export interface Broker extends SharedState {
  readonly nodeId: number
  readonly settings: readonly BrokerSetting[]
  /** The folder of the records, `memory` where there is none. */
  readonly logDir: string
  readonly fetchSessions: FetchSessions
  readonly shareSessions: ShareSessions
  /** Lets clients wait that take more than their quotas. */
  readonly throttle: ClientThrottle
  /**
   * A partition that this broker leads.
   * @throws {ProtocolError} when there is none, another broker leads it, or the client knows another leader epoch (-1: none)
   */
  leading(topic: string, index: number, epoch?: number): Partition
  /** The error for a group that another broker coordinates, if any. */
  groupRefusal(groupId: string): ErrorCode | undefined
  /** The same for a transactional id. */
  transactionRefusal(transactionalId: string): ErrorCode | undefined
}
