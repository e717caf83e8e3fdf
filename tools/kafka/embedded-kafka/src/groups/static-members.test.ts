import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeGroup } from '../../tests/make-group.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import type { Group } from './group.ts'
import type { JoinRequest, JoinResult } from './join-and-sync.ts'

const SESSION_MS = 10_000

function makeJoin(instance: string, overrides: Partial<JoinRequest> = {}): JoinRequest {
  return {
    memberId: '',
    groupInstanceId: instance,
    knowsSkipAssignment: true,
    requireKnownMemberId: true,
    clientId: 'c',
    clientHost: '/127.0.0.1',
    sessionTimeoutMs: SESSION_MS,
    rebalanceTimeoutMs: 60_000,
    protocolType: 'consumer',
    protocols: [{ name: 'range', metadata: Buffer.from('m') }],
    ...overrides,
  }
}

describe('a static member (KIP-345)', () => {
  let group: Group
  let first: JoinResult

  const sync = (member: JoinResult, instance: string, assigned: Readonly<Record<string, string>> = {}) =>
    group.sync({
      ...member,
      groupInstanceId: instance,
      assignments: Object.entries(assigned).map(([memberId, text]) => ({ memberId, assignment: Buffer.from(text) })),
    })

  beforeEach(async () => {
    vi.useFakeTimers()
    group = makeGroup()
    first = await group.join(makeJoin('a'))
    await sync(first, 'a', { m1: 'all' })
  })

  afterEach(() => {
    group.close()
    vi.useRealTimers()
  })

  it('joins at once, without being given an id first, and is named with its instance', () => {
    expect(first).toMatchObject({ errorCode: ErrorCode.NONE, memberId: 'm1', generationId: 1 })
    expect(first.members).toMatchObject([{ memberId: 'm1', groupInstanceId: 'a' }])
    expect(group.members.map(({ instanceId }) => instanceId)).toEqual(['a'])
  })

  it('comes back as a new process to what it was assigned, without a rebalance', async () => {
    const back = await group.join(makeJoin('a'))
    expect(back).toMatchObject({ errorCode: ErrorCode.NONE, memberId: 'm2', generationId: 1, leader: 'm2' })
    expect(back.skipAssignment).toBe(true)
    expect(group.state).toBe('Stable')
    expect(String((await sync(back, 'a')).assignment)).toBe('all')
  })

  it('does not learn that it leads when it is too old to be told to assign nothing', async () => {
    const back = await group.join(makeJoin('a', { knowsSkipAssignment: false }))
    expect(back).toMatchObject({ memberId: 'm2', leader: 'm1', skipAssignment: false, members: [] })
  })

  it('fences the process whose place was taken, in everything it asks', async () => {
    await group.join(makeJoin('a'))
    expect(group.heartbeat('m1', 1, 'a')).toBe(ErrorCode.FENCED_INSTANCE_ID)
    expect(group.memberRefusal('m1', 1, 'a')).toBe(ErrorCode.FENCED_INSTANCE_ID)
    expect((await sync(first, 'a')).errorCode).toBe(ErrorCode.FENCED_INSTANCE_ID)
    expect((await group.join(makeJoin('a', { memberId: 'm1' }))).errorCode).toBe(ErrorCode.FENCED_INSTANCE_ID)
    expect(group.leave('m1', 'a')).toBe(ErrorCode.FENCED_INSTANCE_ID)
    expect(group.heartbeat('m2', 1, 'a')).toBe(ErrorCode.NONE)
  })

  it('tells a process that waits for a rebalance that its place was taken', async () => {
    const waiting = group.join(makeJoin('b'))
    const taken = group.join(makeJoin('b'))
    expect((await waiting).errorCode).toBe(ErrorCode.FENCED_INSTANCE_ID)
    const rejoined = await group.join(makeJoin('a', { memberId: 'm1' }))
    expect(rejoined.members.map(({ groupInstanceId }) => groupInstanceId)).toEqual(['a', 'b'])
    expect((await taken).errorCode).toBe(ErrorCode.NONE)
  })

  it('is taken for gone when its session ends, like any other', async () => {
    await vi.advanceTimersByTimeAsync(SESSION_MS)
    expect(group.state).toBe('Empty')
    expect(group.heartbeat('m1', 1, 'a')).toBe(ErrorCode.UNKNOWN_MEMBER_ID)
    expect((await group.join(makeJoin('a', { memberId: 'm1' }))).errorCode).toBe(ErrorCode.UNKNOWN_MEMBER_ID)
  })

  it('is removed by its instance id alone', () => {
    expect(group.leave('', 'nobody')).toBe(ErrorCode.UNKNOWN_MEMBER_ID)
    expect(group.leave('', 'a')).toBe(ErrorCode.NONE)
    expect(group.state).toBe('Empty')
  })

  describe('that misses a rebalance', () => {
    const REBALANCE_MS = 3000
    const inAWhile = { rebalanceTimeoutMs: REBALANCE_MS }
    let second: JoinResult

    /** A group of `a`, which leads, and `b`; then a third member has a rebalance begin that only one of them takes part in. */
    async function missRebalance(missing: 'a' | 'b'): Promise<{ rejoined: JoinResult; third: JoinResult }> {
      group.close()
      group = makeGroup()
      first = await group.join(makeJoin('a', inAWhile))
      const joining = group.join(makeJoin('b', inAWhile))
      first = await group.join(makeJoin('a', { ...inAWhile, memberId: first.memberId }))
      second = await joining
      await Promise.all([sync(second, 'b'), sync(first, 'a', { m1: 'for a', m2: 'for b' })])
      const third = group.join(makeJoin('c', inAWhile))
      const [here, memberId] = missing === 'a' ? ['b', second.memberId] : ['a', first.memberId]
      const rejoined = group.join(makeJoin(here, { ...inAWhile, memberId }))
      await vi.advanceTimersByTimeAsync(REBALANCE_MS)
      return { rejoined: await rejoined, third: await third }
    }

    it('stays a member, is assigned its part, and comes back to it without another rebalance', async () => {
      const { rejoined, third } = await missRebalance('b')
      expect(rejoined).toMatchObject({ generationId: 3, leader: 'm1' })
      expect(rejoined.members.map(({ groupInstanceId }) => groupInstanceId)).toEqual(['a', 'b', 'c'])
      await Promise.all([sync(third, 'c'), sync(rejoined, 'a', { m1: 'a3', m2: 'b3', m3: 'c3' })])
      expect(group.heartbeat(second.memberId, second.generationId, 'b')).toBe(ErrorCode.ILLEGAL_GENERATION)
      const back = await group.join(makeJoin('b', inAWhile))
      expect(back).toMatchObject({ errorCode: ErrorCode.NONE, generationId: 3 })
      expect(String((await sync(back, 'b')).assignment)).toBe('b3')
    })

    it('does not lead the generation it has missed', async () => {
      const { rejoined, third } = await missRebalance('a')
      expect([rejoined.leader, third.leader]).toEqual([second.memberId, second.memberId])
      expect(rejoined.members.map(({ groupInstanceId }) => groupInstanceId)).toEqual(['a', 'b', 'c'])
    })

    it('is removed when it asks for no assignment for as long as a rebalance may take', async () => {
      const { rejoined, third } = await missRebalance('b')
      await Promise.all([sync(third, 'c'), sync(rejoined, 'a', { m1: 'a3', m2: 'b3', m3: 'c3' })])
      const beat = () => {
        group.heartbeat(rejoined.memberId, 3, 'a')
        group.heartbeat(third.memberId, 3, 'c')
      }
      await vi.advanceTimersByTimeAsync(REBALANCE_MS - 100)
      beat()
      expect(group.members.map(({ instanceId }) => instanceId)).toEqual(['a', 'b', 'c'])
      await vi.advanceTimersByTimeAsync(200)
      expect(group.members.map(({ instanceId }) => instanceId)).toEqual(['a', 'c'])
      expect(group.state).toBe('PreparingRebalance')
    })

    it('is waited for when nobody else is there to lead', async () => {
      group.close()
      first = await group.join(makeJoin('a', inAWhile))
      await sync(first, 'a')
      // The one that joins leaves before the rebalance is over.
      const joining = group.join(makeJoin('b', inAWhile))
      expect(group.leave('', 'b')).toBe(ErrorCode.NONE)
      await joining
      expect(group.members.map(({ instanceId }) => instanceId)).toEqual(['a'])
      await vi.advanceTimersByTimeAsync(REBALANCE_MS)
      expect(group.state).toBe('PreparingRebalance')
      await vi.advanceTimersByTimeAsync(SESSION_MS)
      expect(group.state).toBe('Empty')
    })
  })
})
