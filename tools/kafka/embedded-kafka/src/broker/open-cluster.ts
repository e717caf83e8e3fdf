import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Clock } from '../clock.ts'
import { FIRST_NODE_ID, type Node, Nodes } from '../cluster/nodes.ts'
import { DataDirError } from '../errors.ts'
import { FaultRules } from '../faults/fault-rules.ts'
import { Features } from '../features/features.ts'
import { GroupLog } from '../groups/group-log.ts'
import { OffsetStore } from '../groups/offset-store.ts'
import { ClientThrottle } from '../quotas/client-throttle.ts'
import { QuotaStore } from '../quotas/quota-store.ts'
import { AclStore } from '../security/acl/acl-store.ts'
import { Authorizer } from '../security/acl/authorizer.ts'
import { ScramCredentials } from '../security/scram-credentials.ts'
import { FetchSessions } from '../sessions/fetch-sessions.ts'
import { ShareSessions } from '../sessions/share-sessions.ts'
import { BrokerConfigs } from '../settings/broker-configs.ts'
import { brokerSettings, FETCH_SESSION_SLOTS } from '../settings/broker-settings.ts'
import { SESSIONS } from '../settings/session-limits.ts'
import { currentBoot } from '../storage/boot.ts'
import type { SegmentStore } from '../storage/byte-file.ts'
import { damageOf, NO_DAMAGE } from '../storage/damage.ts'
import { lockDirectory } from '../storage/dir-lock.ts'
import { diskSegments } from '../storage/disk-segments.ts'
import { memoryStores } from '../storage/memory-file.ts'
import { StateStore } from '../storage/state-store.ts'
import { WriteFailures } from '../storage/write-failures.ts'
import { TopicCatalog } from '../topics/topic-catalog.ts'
import { isOfOtherBoot, makeWhole, noteBoot } from './after-power-cut.ts'
import type { Broker, SharedState } from './broker.ts'
import { type BrokerChanges, brokerChanges } from './broker-changes.ts'
import { Clients } from './clients.ts'
import type { ClusterOptions } from './cluster-options.ts'
import { emptyCluster } from './empty-cluster.ts'
import { isOrphan, logDirOf, removeOrphans } from './log-dirs.ts'
import { openCoordinators } from './open-coordinators.ts'
import { releaseShares } from './release-shares.ts'

/** Brokers that share topics, groups and transactions; each has its own copies of the records. */
export interface Cluster extends Pick<BrokerChanges, 'goDown' | 'comeUp'> {
  readonly nodes: Nodes
  /** By their numbers, from 1 on. */
  readonly brokers: readonly [Broker, ...Broker[]]
  /** Deletes topics, groups, transactions, users, ACLs, quotas and changed settings; fault rules end, and connections are closed. */
  empty(): void
  close(): void
}

const CLUSTER = 'cluster'

function newTopicId(): string {
  return randomUUID().replaceAll('-', '')
}

/** The id of the cluster stays the same for as long as the data does. */
function clusterIdOf(state: StateStore): string {
  const known = state.table<string>(CLUSTER).get('id')
  if (known !== undefined) return known
  const id = Buffer.from(newTopicId(), 'hex').toString('base64url')
  state.write([{ table: CLUSTER, id: 'id', value: id }])
  return id
}

/** Keeps the id of the first broker, under which its records are. @throws {DataDirError} when the data is of another one */
function keepNodeId(state: StateStore, nodeId: number): void {
  const table = state.table<string | number>(CLUSTER)
  // Before ids were kept, it was always this one.
  const known = table.get('node-id') ?? (table.has('id') ? FIRST_NODE_ID : nodeId)
  if (known !== nodeId) {
    throw new DataDirError(`the data directory is of the broker with node.id ${known}; node.id is ${nodeId}`)
  }
  if (!table.has('node-id')) state.write([{ table: CLUSTER, id: 'node-id', value: nodeId }])
}

/**
 * Opens the data of all brokers and finishes what a kill interrupted.
 * @throws {DataDirError} when another broker uses the folder
 */
export function openCluster(options: ClusterOptions): Cluster {
  const lock = options.dataDir === undefined ? undefined : lockDirectory(options.dataDir)
  const release = (): void => lock?.release()
  try {
    return openData(options, release)
  } catch (error) {
    release()
    throw error
  }
}

/** One of the brokers: what it has for itself, and what it answers for. */
function brokerOf({ id: nodeId, rack }: Node, shared: SharedState, options: ClusterOptions): Broker {
  const { topics, groups, nodes, quotas, clock, coordinators } = shared
  const { dataDir } = options
  return {
    ...shared,
    nodeId,
    settings: brokerSettings({ nodeId, rack, defaultFactor: nodes.defaultFactor, ...options }),
    logDir: dataDir === undefined ? 'memory' : logDirOf(dataDir, nodeId),
    throttle: new ClientThrottle(quotas, clock.now),
    fetchSessions: new FetchSessions({ slots: FETCH_SESSION_SLOTS, now: clock.now }),
    shareSessions: new ShareSessions((session) => releaseShares(session, { nodeId, topics, groups })),
    leading(topic, index, epoch = -1) {
      const partition = topics.partition(topic, index)
      partition.replicas.checkLeader(nodeId, epoch)
      return partition
    },
    groupRefusal: (id) => coordinators.refusal('group', id, nodeId),
    transactionRefusal: (id) => coordinators.refusal('transaction', id, nodeId),
  }
}

function openData(options: ClusterOptions, release: () => void): Cluster {
  const { dataDir, limits, racks, flush, clock = new Clock(), boot = currentBoot() } = options
  const nodes = new Nodes(racks, options.firstNodeId)
  const damage = dataDir === undefined ? NO_DAMAGE : damageOf(dataDir, options.onDamage ?? (() => {}))
  const writes = options.onWriteFailure && new WriteFailures(options.onWriteFailure)
  const state = new StateStore(dataDir, { damage, writes, ...(flush && { flush }) })
  keepNodeId(state, nodes.firstId)
  const isAfterPowerCut = isOfOtherBoot(state, boot)
  const inMemory = memoryStores()
  const segments = (nodeId: number, topicId: string, partition: number): SegmentStore =>
    dataDir === undefined
      ? inMemory.open(`${nodeId}/${topicId}/${partition}`)
      : diskSegments(join(logDirOf(dataDir, nodeId), topicId, String(partition)), { damage, writes, isAfterPowerCut })
  const brokerConfigs = new BrokerConfigs(state, {
    nodeIds: nodes.all.map(({ id }) => id),
    ...(options.started && { started: options.started }),
  })
  const topics = new TopicCatalog({
    state,
    configs: brokerConfigs,
    nodes,
    segments,
    newTopicId,
    defaultPartitions: options.defaultPartitions,
    ...limits,
    cleanerBackoffMs: options.cleanerBackoffMs,
    maxStoredBytes:
      dataDir === undefined ? (limits.maxStoredBytes ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY,
    clock,
    ...(options.onMemoryFull && { onMemoryFull: options.onMemoryFull }),
    ...(flush && { flush }),
  })
  topics.elect()
  const clean = (nodeId: number): void => {
    if (dataDir === undefined) inMemory.forget((name) => isOrphan(topics, name))
    else removeOrphans(dataDir, nodeId, topics, state.isDamaged ? damage : undefined)
  }
  for (const { id } of nodes.all) clean(id)
  const log = new GroupLog(topics, clock.now)
  const offsets = new OffsetStore(state, log)
  topics.onRemoved((topic) => {
    offsets.deleteTopic(topic.name)
    if (dataDir === undefined) return
    for (const { id } of nodes.all) rmSync(join(logDirOf(dataDir, id), topic.id), { recursive: true, force: true })
  })
  const changes = brokerChanges({ nodes, topics, clean, clock })
  const faults = new FaultRules()
  const acls = new AclStore(state)
  const quotas = new QuotaStore(state)
  const shared: SharedState = {
    clusterId: clusterIdOf(state),
    autoCreateTopics: options.autoCreateTopics,
    isRackAware: options.isRackAware ?? false,
    clock,
    now: clock.now,
    nodes,
    topics,
    brokerConfigs,
    ...openCoordinators({ state, nodes, topics, offsets, log, clock, limits, sessions: options.sessions ?? SESSIONS }),
    clients: new Clients(),
    faults,
    scramCredentials: new ScramCredentials(state),
    acls,
    quotas,
    features: new Features(state),
    authorizer: options.authorizer && new Authorizer(acls, options.authorizer),
  }
  const { groups, transactions } = shared
  if (isAfterPowerCut) makeWhole({ topics, offsets, groups, transactions })
  if (isAfterPowerCut || log.isEmpty) offsets.logAll()
  if (dataDir !== undefined) noteBoot(state, boot)
  const brokers = nodes.all.map((node) => brokerOf(node, shared, options))
  return {
    nodes,
    brokers: brokers as [Broker, ...Broker[]],
    goDown: changes.goDown,
    comeUp: changes.comeUp,
    empty: () => emptyCluster(shared, state),
    close() {
      faults.clear()
      changes.close()
      groups.close()
      transactions.close()
      topics.close()
      state.close()
      release()
    },
  }
}
