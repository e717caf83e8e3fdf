import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Clock } from '../clock.ts'
import { FaultRules } from '../faults/fault-rules.ts'
import { ConsumerGroups } from '../groups/consumer/consumer-groups.ts'
import { GroupCoordinator } from '../groups/group-coordinator.ts'
import { OffsetStore } from '../groups/offset-store.ts'
import { AclStore } from '../security/acl/acl-store.ts'
import { Authorizer, type AuthorizerRules } from '../security/acl/authorizer.ts'
import { ScramCredentials } from '../security/scram-credentials.ts'
import { FetchSessions } from '../sessions/fetch-sessions.ts'
import { type BrokerSetting, brokerSettings, FETCH_SESSION_SLOTS } from '../settings/broker-settings.ts'
import { type Damage, damageOf, NO_DAMAGE, type OnDamage } from '../storage/damage.ts'
import { lockDirectory } from '../storage/dir-lock.ts'
import { diskSegments } from '../storage/disk-segments.ts'
import { memorySegments } from '../storage/memory-file.ts'
import { StateStore } from '../storage/state-store.ts'
import { TopicCatalog } from '../topics/topic-catalog.ts'
import { ProducerIds } from '../transactions/producer-ids.ts'
import { TransactionCoordinator } from '../transactions/transaction-coordinator.ts'
import { Clients } from './clients.ts'

const NODE_ID = 1

/** Limits of the broker; beyond them, requests are refused with an error of the protocol. */
export interface BrokerLimits {
  readonly maxPartitions: number
  readonly maxGroups: number
  readonly maxGroupMembers: number
  readonly maxTransactionalIds: number
  /** Of records, without a data folder; default: any number. */
  readonly maxStoredBytes?: number
}

export interface BrokerOptions {
  /** Undefined: everything in memory. */
  readonly dataDir?: string
  /** Called for each damaged file, with the place where it is kept. */
  readonly onDamage?: OnDamage
  readonly defaultPartitions: number
  readonly autoCreateTopics: boolean
  /** How long the cleaner of compacted topics rests between two rounds. */
  readonly cleanerBackoffMs: number
  readonly limits: BrokerLimits
  /** Default: the machine's, which can be moved ahead. */
  readonly clock?: Clock
  /** Undefined: everybody may do everything. */
  readonly authorizer?: AuthorizerRules | undefined
}

/** Collaborators of the handlers of requests. */
export interface Broker {
  readonly nodeId: number
  readonly clusterId: string
  readonly autoCreateTopics: boolean
  readonly settings: readonly BrokerSetting[]
  /** The folder of the records, `memory` where there is none. */
  readonly logDir: string
  readonly clock: Clock
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly topics: TopicCatalog
  readonly fetchSessions: FetchSessions
  readonly groups: GroupCoordinator
  readonly transactions: TransactionCoordinator
  readonly clients: Clients
  /** What tests have go wrong. */
  readonly faults: FaultRules
  readonly scramCredentials: ScramCredentials
  readonly acls: AclStore
  /** Undefined: everybody may do everything. */
  readonly authorizer: Authorizer | undefined
  close(): void
}

function newTopicId(): string {
  return randomUUID().replaceAll('-', '')
}

/** The id of the cluster stays the same for as long as the data does. */
function clusterIdOf(state: StateStore): string {
  const known = state.table<string>('cluster').get('id')
  if (known !== undefined) return known
  const id = Buffer.from(newTopicId(), 'hex').toString('base64url')
  state.write([{ table: 'cluster', id: 'id', value: id }])
  return id
}

/**
 * Removes the folders of topics that are not known: a kill came between deleting a topic and its files.
 * Where the state was damaged (`lost`), they may belong to topics it has lost, so they are set aside instead.
 */
function removeOrphans(folder: string, topics: TopicCatalog, lost: Damage | undefined): void {
  for (const name of readdirSync(folder)) {
    if (topics.findById(name)) continue
    const path = join(folder, name)
    if (lost) lost.move(path, 'the state that was readable has no such topic')
    else rmSync(path, { recursive: true, force: true })
  }
}

/**
 * Opens the broker's data and finishes what a kill interrupted.
 * @throws {DataDirError} when another broker uses the folder
 */
export function openBroker(options: BrokerOptions): Broker {
  const lock = options.dataDir === undefined ? undefined : lockDirectory(options.dataDir)
  const release = (): void => lock?.release()
  try {
    return openData(options, release)
  } catch (error) {
    release()
    throw error
  }
}

function openData(options: BrokerOptions, release: () => void): Broker {
  const { dataDir, limits, clock = new Clock() } = options
  const damage = dataDir === undefined ? NO_DAMAGE : damageOf(dataDir, options.onDamage ?? (() => {}))
  const state = new StateStore(dataDir, damage)
  const logs = dataDir === undefined ? undefined : join(dataDir, 'topics')
  const topics = new TopicCatalog({
    state,
    segments: (topicId, partition) =>
      logs === undefined ? memorySegments() : diskSegments(join(logs, topicId, String(partition)), damage),
    newTopicId,
    defaultPartitions: options.defaultPartitions,
    maxPartitions: limits.maxPartitions,
    cleanerBackoffMs: options.cleanerBackoffMs,
    maxStoredBytes:
      dataDir === undefined ? (limits.maxStoredBytes ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY,
    clock,
  })
  if (logs !== undefined && existsSync(logs)) removeOrphans(logs, topics, state.isDamaged ? damage : undefined)
  const offsets = new OffsetStore(state)
  topics.onRemoved((topic) => {
    offsets.deleteTopic(topic.name)
    if (logs !== undefined) rmSync(join(logs, topic.id), { recursive: true, force: true })
  })
  const consumers = new ConsumerGroups({
    clock,
    state,
    catalog: topics,
    maxGroups: limits.maxGroups,
    maxGroupMembers: limits.maxGroupMembers,
    classic: {
      isUsed: (groupId) => groups.find(groupId)?.isUnused === false,
      forget: (groupId) => groups.forget(groupId),
    },
    hasOffsets: (groupId) => offsets.has(groupId),
  })
  const groups = new GroupCoordinator({
    clock,
    offsets,
    consumers,
    newMemberId: (clientId) => `${clientId}-${randomUUID()}`,
    maxGroups: limits.maxGroups,
    maxGroupMembers: limits.maxGroupMembers,
  })
  const transactions = new TransactionCoordinator({
    state,
    topics,
    offsets,
    producerIds: new ProducerIds(state),
    clock,
    maxTransactionalIds: limits.maxTransactionalIds,
  })
  const faults = new FaultRules()
  const acls = new AclStore(state)
  return {
    nodeId: NODE_ID,
    clusterId: clusterIdOf(state),
    autoCreateTopics: options.autoCreateTopics,
    settings: brokerSettings({ nodeId: NODE_ID, ...options }),
    logDir: logs ?? 'memory',
    clock,
    now: clock.now,
    topics,
    fetchSessions: new FetchSessions({ slots: FETCH_SESSION_SLOTS, now: clock.now }),
    groups,
    transactions,
    clients: new Clients(),
    faults,
    scramCredentials: new ScramCredentials(state),
    acls,
    authorizer: options.authorizer && new Authorizer(acls, options.authorizer),
    close() {
      faults.clear()
      groups.close()
      transactions.close()
      topics.close()
      state.close()
      release()
    },
  }
}
