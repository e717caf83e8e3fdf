import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeGroup } from '../../tests/make-group.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import type { Group } from './group.ts'
import type { JoinRequest, JoinResult } from './join-and-sync.ts'

const SESSION_MS = 10_000
const REBALANCE_MS = 60_000

function makeJoin(overrides: Partial<JoinRequest> = {}): JoinRequest {
  return {
    memberId: '',
    groupInstanceId: null,
    knowsSkipAssignment: false,
    requireKnownMemberId: false,
    clientId: 'c',
    clientHost: '/127.0.0.1',
    sessionTimeoutMs: SESSION_MS,
    rebalanceTimeoutMs: REBALANCE_MS,
    protocolType: 'consumer',
    protocols: [{ name: 'range', metadata: Buffer.from('m') }],
    ...overrides,
  }
}

describe('Group', () => {
  let group: Group

  beforeEach(() => {
    vi.useFakeTimers()
    group = makeGroup()
  })

  afterEach(() => {
    group.close()
    vi.useRealTimers()
  })

  function sync(member: JoinResult, assignments: readonly { memberId: string; assignment: Buffer }[] = []) {
    const { memberId, generationId } = member
    return group.sync({
      memberId,
      groupInstanceId: null,
      generationId,
      protocolType: null,
      protocolName: null,
      assignments,
    })
  }

  /** One member that is leader of a stable group. */
  async function stable(): Promise<JoinResult> {
    const leader = await group.join(makeJoin())
    await sync(leader, [{ memberId: leader.memberId, assignment: Buffer.from('all') }])
    return leader
  }

  it('makes the first member the leader at once, without a delay', async () => {
    const joined = await group.join(makeJoin())
    expect(joined).toMatchObject({ errorCode: ErrorCode.NONE, generationId: 1, leader: 'm1', memberId: 'm1' })
    expect(joined.members.map(({ memberId }) => memberId)).toEqual(['m1'])
    expect(group.state).toBe('CompletingRebalance')
  })

  it('hands out an id first to clients that know how to join with it', async () => {
    const refused = await group.join(makeJoin({ requireKnownMemberId: true }))
    expect(refused).toMatchObject({ errorCode: ErrorCode.MEMBER_ID_REQUIRED, memberId: 'm1' })
    const joined = await group.join(makeJoin({ requireKnownMemberId: true, memberId: 'm1' }))
    expect(joined).toMatchObject({ errorCode: ErrorCode.NONE, memberId: 'm1' })
  })

  it('rebalances when a second member joins, and gives each what the leader assigned', async () => {
    const leader = await stable()
    const second = group.join(makeJoin())
    expect(group.heartbeat(leader.memberId, 1)).toBe(ErrorCode.REBALANCE_IN_PROGRESS)
    const again = await group.join(makeJoin({ memberId: leader.memberId }))
    const other = await second
    expect([again.generationId, other.generationId]).toEqual([2, 2])
    expect(again.members).toHaveLength(2)
    expect(other.members).toEqual([])
    const waiting = sync(other)
    await sync(again, [
      { memberId: again.memberId, assignment: Buffer.from('a') },
      { memberId: other.memberId, assignment: Buffer.from('b') },
    ])
    expect((await waiting).assignment.toString()).toBe('b')
    expect(group.state).toBe('Stable')
    expect(group.heartbeat(leader.memberId, 2)).toBe(ErrorCode.NONE)
    expect(group.heartbeat(leader.memberId, 1)).toBe(ErrorCode.ILLEGAL_GENERATION)
  })

  it('goes on without a member that does not join again within the rebalance timeout', async () => {
    await stable()
    const second = group.join(makeJoin({ sessionTimeoutMs: 2 * REBALANCE_MS }))
    await vi.advanceTimersByTimeAsync(SESSION_MS)
    const joined = await second
    expect(joined).toMatchObject({ errorCode: ErrorCode.NONE, leader: 'm2' })
    expect(joined.members).toHaveLength(1)
  })

  it('removes a member whose session is over, not one that heartbeats', async () => {
    const leader = await stable()
    await vi.advanceTimersByTimeAsync(SESSION_MS - 1)
    expect(group.heartbeat(leader.memberId, 1)).toBe(ErrorCode.NONE)
    await vi.advanceTimersByTimeAsync(SESSION_MS - 1)
    expect(group.state).toBe('Stable')
    await vi.advanceTimersByTimeAsync(1)
    expect(group.state).toBe('Empty')
    expect(group.heartbeat(leader.memberId, 1)).toBe(ErrorCode.UNKNOWN_MEMBER_ID)
  })

  it('starts over when the leader is gone before it has assigned anything', async () => {
    const leader = await group.join(makeJoin())
    const second = group.join(makeJoin())
    const again = await group.join(makeJoin({ memberId: leader.memberId }))
    const follower = await second
    const waiting = sync(follower)
    expect(group.leave(again.memberId)).toBe(ErrorCode.NONE)
    expect((await waiting).errorCode).toBe(ErrorCode.REBALANCE_IN_PROGRESS)
    const alone = await group.join(makeJoin({ memberId: follower.memberId }))
    expect(alone).toMatchObject({ leader: follower.memberId, generationId: 3 })
  })

  it('does not wait for ever for an id that was handed out and never used', async () => {
    await group.join(makeJoin({ requireKnownMemberId: true }))
    const joined = group.join(makeJoin())
    await vi.advanceTimersByTimeAsync(SESSION_MS)
    expect((await joined).members).toHaveLength(1)
  })

  it('keeps a generation for a follower that asks again with the same subscription', async () => {
    const leader = await stable()
    const second = group.join(makeJoin())
    await group.join(makeJoin({ memberId: leader.memberId }))
    const follower = await second
    const repeated = await group.join(makeJoin({ memberId: follower.memberId }))
    expect(repeated).toMatchObject({ generationId: 2, memberId: follower.memberId })
  })

  it('refuses strangers, other kinds of groups, strategies nobody shares and too many members', async () => {
    await stable()
    const codeOf = async (overrides: Partial<JoinRequest>) => (await group.join(makeJoin(overrides))).errorCode
    expect(await codeOf({ memberId: 'nobody' })).toBe(ErrorCode.UNKNOWN_MEMBER_ID)
    expect(await codeOf({ protocolType: 'connect' })).toBe(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
    expect(await codeOf({ protocols: [{ name: 'sticky', metadata: Buffer.alloc(0) }] })).toBe(
      ErrorCode.INCONSISTENT_GROUP_PROTOCOL,
    )
    expect(await codeOf({ protocols: [] })).toBe(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
    await codeOf({ requireKnownMemberId: true })
    await codeOf({ requireKnownMemberId: true })
    expect(await codeOf({})).toBe(ErrorCode.GROUP_MAX_SIZE_REACHED)
  })

  it('chooses the strategy that all share and most prefer', async () => {
    const names = (...list: string[]) => list.map((name) => ({ name, metadata: Buffer.alloc(0) }))
    const first = await group.join(makeJoin({ protocols: names('a', 'b', 'c') }))
    const second = group.join(makeJoin({ protocols: names('c', 'b') }))
    const third = group.join(makeJoin({ protocols: names('c', 'b') }))
    await group.join(makeJoin({ memberId: first.memberId, protocols: names('a', 'b', 'c') }))
    expect([(await second).protocolName, (await third).protocolName]).toEqual(['c', 'c'])
  })
})
