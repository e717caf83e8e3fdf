import { describe, expect, it } from 'vitest'
import { groupTiming } from '../kafka/group-timing.ts'
import type { MemberState } from './group-member.ts'
import { memberCheck } from './member-check.ts'

const NOW = 100_000

function check(state: MemberState, { heartbeatAtMs = NOW, reason }: { heartbeatAtMs?: number; reason?: string } = {}) {
  const options = { transientFailures: { reason }, now: () => NOW }
  return memberCheck('Kafka incoming channel beers', { state, heartbeatAtMs }, groupTiming(), options).check(
    AbortSignal.timeout(1000),
  )
}

describe('memberCheck', () => {
  it('is DOWN until partitions are assigned', () => {
    expect(check({ phase: 'connecting' })).toEqual({ status: 'DOWN', data: { state: 'connecting' } })
  })

  it('is UP while heartbeats are answered, with or without partitions', () => {
    expect(check({ phase: 'assigned', partitions: 0 }, { heartbeatAtMs: NOW - 6000 })).toEqual({
      status: 'UP',
      data: { state: 'assigned', partitions: 0, heartbeatAgeMs: 6000 },
    })
  })

  it('is DOWN when the last heartbeat is older than the session timeout', () => {
    expect(check({ phase: 'assigned', partitions: 1 }, { heartbeatAtMs: NOW - 6001 })).toMatchObject({ status: 'DOWN' })
  })

  it('is UP during a rebalance and DOWN when the rebalance is overdue', () => {
    expect(check({ phase: 'rebalancing', sinceMs: NOW - 10_000 }, { heartbeatAtMs: 0 })).toMatchObject({ status: 'UP' })
    expect(check({ phase: 'rebalancing', sinceMs: NOW - 10_001 })).toMatchObject({ status: 'DOWN' })
  })

  it('is asked each time anew, because it asks nobody: partitions are told of as soon as they are assigned', () => {
    const member = { state: { phase: 'connecting' }, heartbeatAtMs: 0 } as const
    expect(memberCheck('a', member, groupTiming(), { transientFailures: { reason: undefined } })).toMatchObject({
      cacheMs: 0,
    })
  })

  it('decisions 3.160: is DOWN with the reason while messages wait after transient failures, also in a rebalance', () => {
    const reason = 'the database is unavailable'
    expect(check({ phase: 'assigned', partitions: 1 }, { reason })).toEqual({
      status: 'DOWN',
      data: { state: 'assigned', partitions: 1, heartbeatAgeMs: 0, reason },
    })
    expect(check({ phase: 'rebalancing', sinceMs: NOW }, { reason })).toMatchObject({
      status: 'DOWN',
      data: { reason },
    })
  })

  it('is DOWN when the channel is closed', () => {
    expect(check({ phase: 'closed' })).toEqual({ status: 'DOWN', data: { state: 'closed' } })
  })
})
