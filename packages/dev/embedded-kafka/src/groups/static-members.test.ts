import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ErrorCode } from '../protocol/error-code.ts'
import { Group } from './group.ts'
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
    let last = 0
    group = new Group({ id: 'g', maxMembers: 3, newMemberId: () => `m${++last}` })
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
})
