import type { CheckOutcome, HealthCheck } from '@taproom/core/health'
import type { GroupTiming } from '../kafka/group-timing.ts'
import type { GroupMember } from './group-member.ts'

type MemberView = Pick<GroupMember, 'state' | 'heartbeatAtMs'> & Partial<Pick<GroupMember, 'refusal'>>

/**
 * Readiness of a group member: UP while the last answered heartbeat is no older than the session timeout, and
 * during a rebalance within its time limit.
 */
export function memberCheck(
  name: string,
  member: MemberView,
  timing: Pick<GroupTiming, 'sessionTimeoutMs' | 'rebalanceTimeoutMs'>,
  now: () => number = Date.now,
): HealthCheck {
  return {
    name,
    cacheMs: 0,
    check(): CheckOutcome {
      const { state } = member
      if (state.phase === 'assigned') {
        const heartbeatAgeMs = now() - member.heartbeatAtMs
        return {
          status: heartbeatAgeMs <= timing.sessionTimeoutMs ? 'UP' : 'DOWN',
          data: { state: state.phase, partitions: state.partitions, heartbeatAgeMs },
        }
      }
      const inTime = state.phase === 'rebalancing' && now() - state.sinceMs <= timing.rebalanceTimeoutMs
      const { refusal: reason } = member
      return { status: inTime ? 'UP' : 'DOWN', data: { state: state.phase, ...(reason !== undefined && { reason }) } }
    },
  }
}
