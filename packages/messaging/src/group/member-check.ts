import type { CheckOutcome, HealthCheck } from '@taproom/core/health'
import type { GroupTiming } from '../kafka/group-timing.ts'
import type { GroupMember } from './group-member.ts'
import type { TransientFailures } from './transient-failures.ts'

type MemberView = Pick<GroupMember, 'state' | 'heartbeatAtMs'> & Partial<Pick<GroupMember, 'failure'>>

interface MemberCheckOptions {
  /** While messages wait after transient failures, the member is not ready. */
  readonly transientFailures: Pick<TransientFailures, 'reason'>
  readonly now?: () => number
}

/**
 * Readiness of a group member: UP while the last answered heartbeat is no older than the session timeout, and
 * during a rebalance within its time limit. DOWN while messages wait.
 */
export function memberCheck(
  name: string,
  member: MemberView,
  timing: Pick<GroupTiming, 'sessionTimeoutMs' | 'rebalanceTimeoutMs'>,
  { transientFailures, now = Date.now }: MemberCheckOptions,
): HealthCheck {
  return {
    name,
    cacheMs: 0,
    check(): CheckOutcome {
      const { state } = member
      const reason = transientFailures.reason ?? member.failure
      const heartbeatAgeMs = now() - member.heartbeatAtMs
      const isReading =
        (state.phase === 'assigned' && heartbeatAgeMs <= timing.sessionTimeoutMs) ||
        (state.phase === 'rebalancing' && now() - state.sinceMs <= timing.rebalanceTimeoutMs)
      return {
        status: isReading && transientFailures.reason === undefined ? 'UP' : 'DOWN',
        data: {
          state: state.phase,
          ...(state.phase === 'assigned' && { partitions: state.partitions, heartbeatAgeMs }),
          ...(reason !== undefined && { reason }),
        },
      }
    },
  }
}
