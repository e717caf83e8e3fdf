import type { Broker } from '../broker/broker.ts'
import { ControlError } from '../errors.ts'
import type { ActiveRule } from '../faults/active-rule.ts'
import { MAX_RULES } from '../faults/fault-rules.ts'
import type { FaultRule } from '../faults/rule.ts'
import { describeGroup, type GroupDetails, type GroupSummary, listGroups } from './groups.ts'
import { type LeaderMove, moveLeader } from './leaders.ts'
import { readRule } from './read-rule.ts'
import { type CommittedWait, type GroupWait, waitForCommitted, waitForGroup } from './waits.ts'

/** A rule that was set. Disposing of it deletes it. */
export interface SetRule extends Disposable {
  readonly id: string
  readonly rule: FaultRule
  /** Requests that met it so far. */
  readonly hits: number
  readonly expiresInMs: number
  /** What waits for it goes on at once. */
  delete(): void
}

export interface ConnectedClient {
  /** The client's `client.id`; empty before its first request. */
  readonly clientId: string
  readonly host: string
  /** The broker that it is connected to. */
  readonly nodeId: number
}

/** What no broker has: a test has things go wrong, moves time, and waits for what consumers have done. */
export interface Control {
  /**
   * Has requests go wrong until the rule is deleted or expires.
   * @throws {ControlError} with the field that is wrong, or when there are 1000 rules
   *
   * @example
   * using outage = broker.control.addRule({ kind: 'leaderless', topic: 'beers' })
   */
  addRule(rule: FaultRule): SetRule
  readonly rules: readonly SetRule[]
  /** False when there is no such rule. */
  deleteRule(id: string): boolean
  clearRules(): void
  /**
   * Makes a replica in sync the leader of a partition.
   * @throws {ControlError} when there is no such partition, or the broker does not run or is not in sync
   */
  moveLeader(move: LeaderMove): void
  readonly clients: readonly ConnectedClient[]
  /** Closes connections: of clients with this `client.id`, to this broker, or all. Returns how many. */
  dropConnections(clients?: { readonly clientId?: string; readonly nodeId?: number }): number
  /** The broker's time, in milliseconds since 1970. */
  now(): number
  /**
   * Moves the broker's time ahead, by 1 ms to ten years, up to the year 9999: retention, cleaning, log append times, sessions, rebalances and
   * transactions follow; time limits of connections and waits do not.
   * @throws {ControlError} when it is another number, or leads beyond that year
   */
  advanceClock(ms: number): void
  readonly groups: readonly GroupSummary[]
  group(groupId: string): GroupDetails | undefined
  /**
   * Resolves with the committed offset once it is `offset` or beyond; without a `partition` with the sum of all of the topic, without an
   * `offset` once everything that the topic has is committed.
   * @throws {WaitError} after `timeoutMs`
   */
  waitForCommitted(wanted: CommittedWait): Promise<number>
  /**
   * Resolves with the group once it is stable with so many members.
   * @throws {WaitError} after `timeoutMs`
   */
  waitForGroup(wanted: GroupWait): Promise<GroupDetails>
  /**
   * Empties the cluster, between two tests: topics, groups, transactions, users, ACLs, quotas, changed settings and rules go, connections are
   * closed, and the topics and users of the options are created again. Ports, the clock and which brokers run stay.
   */
  reset(): void
}

const MAX_ADVANCE_MS = 10 * 365 * 86_400_000
/** The last time whose ISO text has a year of four digits. */
const MAX_TIME = Date.parse('9999-12-31T23:59:59.999Z')

/** The control of a cluster by one of its brokers; `reset` empties it and creates what it was started with. */
export function createControl(broker: Broker, { reset }: Pick<Control, 'reset'>): Control {
  const { faults, clients, clock } = broker
  const { firstId, all } = broker.nodes
  const setRule = (active: ActiveRule): SetRule => {
    const remove = (): void => void faults.delete(active.id)
    return {
      id: active.id,
      rule: active.rule,
      get hits() {
        return active.hits
      },
      get expiresInMs() {
        return active.expiresInMs
      },
      delete: remove,
      [Symbol.dispose]: remove,
    }
  }
  return {
    addRule(rule) {
      const active = faults.add(readRule(rule, { first: firstId, last: firstId + all.length - 1 }))
      if (!active) throw new ControlError('rule', `there can be ${MAX_RULES} rules; delete some first`)
      if (active.rule.kind === 'away') active.hits += clients.drop({ nodeId: active.rule.nodeId })
      return setRule(active)
    },
    get rules() {
      return faults.all.map(setRule)
    },
    deleteRule: (id) => faults.delete(id),
    clearRules: () => faults.clear(),
    moveLeader: (move) => moveLeader(broker, move),
    get clients() {
      return clients.all.map(({ clientId, host, nodeId }) => ({ clientId, host, nodeId }))
    },
    dropConnections: (meant = {}) => clients.drop(meant),
    now: clock.now,
    advanceClock(ms) {
      if (!Number.isInteger(ms) || ms < 1 || ms > MAX_ADVANCE_MS) {
        throw new ControlError('advanceMs', `advanceMs must be a whole number from 1 to ${MAX_ADVANCE_MS}; got ${ms}`)
      }
      if (clock.now() + ms > MAX_TIME) {
        throw new ControlError('advanceMs', `advanceMs must lead to a time before the year 10000; got ${ms}`)
      }
      clock.advance(ms)
    },
    get groups() {
      return listGroups(broker)
    },
    group: (groupId) => describeGroup(broker, groupId),
    waitForCommitted: (wanted) => waitForCommitted(broker, wanted),
    waitForGroup: (wanted) => waitForGroup(broker, wanted),
    reset,
  }
}
