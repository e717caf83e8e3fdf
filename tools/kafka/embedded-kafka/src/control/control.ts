import type { Broker } from '../broker/broker.ts'
import { ControlError } from '../errors.ts'
import type { ActiveRule } from '../faults/active-rule.ts'
import { MAX_RULES } from '../faults/fault-rules.ts'
import type { FaultRule } from '../faults/rule.ts'
import {
  type CommittedWait,
  describeGroup,
  type GroupDetails,
  type GroupSummary,
  listGroups,
  waitForCommitted,
} from './groups.ts'
import { readRule } from './read-rule.ts'

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
  readonly clients: readonly ConnectedClient[]
  /** Closes connections: of clients with this `client.id`, or all. Returns how many. */
  dropConnections(clients?: { readonly clientId?: string }): number
  /** The broker's time, in milliseconds since 1970. */
  now(): number
  /**
   * Moves the broker's time ahead, by 1 ms to ten years: retention, cleaning, log append times, sessions, rebalances and transactions follow;
   * time limits of connections and waits do not.
   * @throws {ControlError} when it is another number
   */
  advanceClock(ms: number): void
  readonly groups: readonly GroupSummary[]
  group(groupId: string): GroupDetails | undefined
  /**
   * Resolves with the committed offset once it is `offset` or beyond.
   * @throws {WaitError} after `timeoutMs`
   */
  waitForCommitted(wanted: CommittedWait): Promise<number>
}

const MAX_ADVANCE_MS = 10 * 365 * 86_400_000

/** The control of one broker. */
export function createControl(broker: Broker): Control {
  const { faults, clients, clock } = broker
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
      const active = faults.add(readRule(rule))
      if (!active) throw new ControlError('rule', `there can be ${MAX_RULES} rules; delete some first`)
      if (active.rule.kind === 'away') active.hits += clients.drop()
      return setRule(active)
    },
    get rules() {
      return faults.all.map(setRule)
    },
    deleteRule: (id) => faults.delete(id),
    clearRules: () => faults.clear(),
    get clients() {
      return clients.all.map(({ clientId, host }) => ({ clientId, host }))
    },
    dropConnections: ({ clientId } = {}) => clients.drop(clientId),
    now: clock.now,
    advanceClock(ms) {
      if (!Number.isInteger(ms) || ms < 1 || ms > MAX_ADVANCE_MS) {
        throw new ControlError('advanceMs', `advanceMs must be a whole number from 1 to ${MAX_ADVANCE_MS}; got ${ms}`)
      }
      clock.advance(ms)
    },
    get groups() {
      return listGroups(broker)
    },
    group: (groupId) => describeGroup(broker, groupId),
    waitForCommitted: async (wanted) => await waitForCommitted(broker, wanted),
  }
}
