import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeContext } from '../../../tests/make-context.ts'
import { openTestBroker } from '../../../tests/open-test-broker.ts'
import type { SoleBroker } from '../../broker/open-cluster.ts'
import { offsetCommit } from '../committed-offsets/offset-commit.ts'
import { offsetDelete } from '../committed-offsets/offset-delete.ts'
import { offsetFetch } from '../committed-offsets/offset-fetch.ts'
import type { Api } from '../definition/api.ts'
import { deleteGroups } from '../group-admin/delete-groups.ts'
import { describeGroups } from '../group-admin/describe-groups.ts'
import { listGroups } from '../group-admin/list-groups.ts'
import { joinGroup } from '../membership/join-group.ts'
import { consumerGroupDescribe } from './consumer-group-describe.ts'
import { consumerGroupHeartbeat } from './consumer-group-heartbeat.ts'

interface Beat {
  readonly errorCode: number
  readonly errorMessage: string | null
  readonly memberId: string | null
  readonly memberEpoch: number
  readonly heartbeatIntervalMs: number
  readonly assignment: { readonly topicPartitions: readonly { readonly partitions: readonly number[] }[] } | null
}

/** Every answer here was compared with Apache Kafka 4.1.0's to the same request. */
describe('decisions 3.61: groups of the newer protocol', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'consumer-groups-'))
  let broker: SoleBroker

  const open = () =>
    openTestBroker({
      dataDir,
      defaultPartitions: 4,
      limits: { maxPartitions: 100, maxGroups: 3, maxGroupMembers: 3, maxTransactionalIds: 10 },
    })

  beforeEach(() => {
    broker = open()
    broker.topics.create('t')
  })
  afterEach(() => {
    vi.useRealTimers()
    broker.close()
    rmSync(dataDir, { recursive: true })
  })

  async function ask<T>(api: Api, version: number, request: unknown): Promise<T> {
    const answer = await api.handle(request, makeContext(broker, version, { clientId: 'client', clientHost: '/host' }))
    return answer as T
  }

  const NOTHING_SAID = {
    groupId: 'g',
    instanceId: null,
    rackId: null,
    rebalanceTimeoutMs: -1,
    subscribedTopicNames: null,
    subscribedTopicRegex: null,
    serverAssignor: null,
    topicPartitions: null,
  }
  const FULL = { rebalanceTimeoutMs: 30_000, subscribedTopicNames: ['t'], topicPartitions: [] }
  const beat = (memberId: string, memberEpoch: number, said: object = {}, version = 1) =>
    ask<Beat>(consumerGroupHeartbeat, version, { ...NOTHING_SAID, memberId, memberEpoch, ...said })
  const joins = (memberId: string, said: object = {}) => beat(memberId, 0, { ...FULL, ...said })
  const owns = (...partitions: readonly number[]) => ({
    topicPartitions: [{ topicId: broker.topics.find('t')?.id, partitions }],
  })
  const given = ({ assignment }: Beat) => assignment?.topicPartitions.flatMap(({ partitions }) => partitions)
  const described = async () => {
    const asked = { groupIds: ['g'], includeAuthorizedOperations: false }
    const { groups } = await ask<{ groups: readonly Record<string, unknown>[] }>(consumerGroupDescribe, 1, asked)
    return groups[0]
  }

  it.each([
    ['m', 5, {}, 69, 'Consumer group g not found.'],
    ['m', -1, {}, 69, 'Group g not found.'],
    ['m', -3, {}, 42, 'MemberEpoch is invalid.'],
    [
      'm',
      0,
      { ...FULL, subscribedTopicRegex: '(' },
      128,
      'SubscribedTopicRegex `(` is not a valid regular expression: missing closing ).',
    ],
  ])('refuse %j in epoch %d with %j', async (memberId, epoch, said, errorCode, errorMessage) => {
    expect(await beat(memberId, epoch, said)).toMatchObject({
      errorCode,
      errorMessage,
      memberId: null,
      memberEpoch: 0,
      heartbeatIntervalMs: 0,
      assignment: null,
    })
    expect(broker.groups.groupIds).toEqual([])
  })

  it('have a member give up what another one then gets', async () => {
    const first = await joins('a')
    expect(first).toMatchObject({ errorCode: 0, memberId: 'a', memberEpoch: 1, heartbeatIntervalMs: 5000 })
    expect(given(first)).toEqual([0, 1, 2, 3])
    expect(await beat('a', 1)).toMatchObject({ memberEpoch: 1, assignment: null })
    expect(await described()).toMatchObject({ groupState: 'Stable', groupEpoch: 1, assignmentEpoch: 1 })
    const second = await joins('b')
    expect([second.memberEpoch, given(second)]).toEqual([2, []])
    const asked = await beat('a', 1)
    expect([asked.memberEpoch, given(asked)]).toEqual([1, [0, 1]])
    expect(await described()).toMatchObject({ groupState: 'Reconciling', groupEpoch: 2 })
    expect(await beat('b', 2)).toMatchObject({ memberEpoch: 2, assignment: null })
    expect(await beat('a', 1, owns(0, 1, 2))).toMatchObject({ memberEpoch: 1, assignment: null })
    expect(await beat('a', 1, owns(0, 1))).toMatchObject({ memberEpoch: 2, assignment: null })
    expect(given(await beat('b', 2))).toEqual([2, 3])
    expect(await described()).toMatchObject({
      groupState: 'Stable',
      assignorName: 'uniform',
      members: [
        { memberId: 'a', memberEpoch: 2, clientId: 'client', clientHost: '/host', subscribedTopicNames: ['t'] },
        { memberId: 'b', assignment: { topicPartitions: [{ topicName: 't', partitions: [2, 3] }] }, memberType: 1 },
      ],
    })
    await beat('b', -1)
    expect(given(await beat('a', 2))).toEqual([0, 1, 2, 3])
  })

  it('fence members with other epochs, but for one that missed the last answer', async () => {
    await joins('a')
    await joins('b')
    const greater = await beat('a', 2)
    expect(greater).toMatchObject({
      errorCode: 110,
      errorMessage:
        'The consumer group member has a greater member epoch (2) than the one known by the group coordinator (1). ' +
        'The member must abandon all its partitions and rejoin.',
    })
    await beat('a', 1)
    expect(await beat('a', 1, owns(0, 1))).toMatchObject({ memberEpoch: 2 })
    expect(await beat('a', 1)).toMatchObject({ errorCode: 110, errorMessage: expect.stringContaining('smaller') })
    expect(await beat('a', 1, owns(0, 1))).toMatchObject({ errorCode: 0, memberEpoch: 2 })
    expect(await beat('z', 1)).toMatchObject({ errorCode: 25, errorMessage: 'Member z is not a member of group g.' })
  })

  it('keep the place of a static member, and let nobody else have it', async () => {
    const first = await joins('a', { instanceId: 'i' })
    expect(await joins('b', { instanceId: 'i' })).toMatchObject({
      errorCode: 111,
      errorMessage:
        'Static member b with instance id i cannot join the group because the instance id is owned by a member.',
    })
    expect(await beat('b', 1, { instanceId: 'i' })).toMatchObject({
      errorCode: 82,
      errorMessage: 'Static member b with instance id i was fenced by member a.',
    })
    expect(await beat('a', 1, { instanceId: 'j' })).toMatchObject({
      errorCode: 25,
      errorMessage: 'Instance id j is unknown.',
    })
    expect(await beat('a', -2, { instanceId: 'i' })).toMatchObject({ errorCode: 0, memberId: 'a', memberEpoch: -2 })
    const second = await joins('b', { instanceId: 'i' })
    expect([second.memberEpoch, given(second)]).toEqual([first.memberEpoch, given(first)])
    expect(await described()).toMatchObject({ groupEpoch: 1, members: [{ memberId: 'b', instanceId: 'i' }] })
  })

  it('end sessions, and memberships of those that do not give up, after the times that the group has', async () => {
    vi.useFakeTimers()
    broker.groups.consumers.configs.configure('g', {
      'consumer.session.timeout.ms': '1000',
      'consumer.heartbeat.interval.ms': '100',
    })
    expect(await joins('a', { rebalanceTimeoutMs: 2000 })).toMatchObject({ heartbeatIntervalMs: 100 })
    await joins('b')
    await beat('a', 1)
    for (let passed = 0; passed < 3000; passed += 500) {
      vi.advanceTimersByTime(500)
      for (const { id, epoch } of broker.groups.consumers.find('g')?.members ?? []) await beat(id, epoch)
    }
    expect(await described()).toMatchObject({ groupEpoch: 3, members: [{ memberId: 'b' }] })
    vi.advanceTimersByTime(1001)
    expect(await described()).toMatchObject({ groupState: 'Empty', groupEpoch: 4, members: [] })
  })

  it('notice new topics, partitions and topics that an expression matches', async () => {
    await joins('a', { subscribedTopicNames: ['t', 'later'] })
    const regex = await joins('b', { subscribedTopicNames: null, subscribedTopicRegex: 'late.*' })
    expect(given(regex)).toEqual([])
    expect(await beat('a', 1)).toMatchObject({ memberEpoch: 2, assignment: null })
    broker.topics.create('later', { partitions: 1 })
    expect(given(await beat('b', 2))).toEqual([0])
    expect(await beat('a', 2)).toMatchObject({ memberEpoch: 3, assignment: null })
    broker.topics.grow('later', 2, { validateOnly: false })
    expect(given(await beat('b', 3))).toEqual([0, 1])
    broker.topics.delete('later')
    expect(given(await beat('b', 4))).toEqual([])
  })

  it('assign as most members ask, and take so many members and groups', async () => {
    broker.topics.create('u')
    const asked = { serverAssignor: 'range', subscribedTopicNames: ['t', 'u'] }
    await joins('a', asked)
    await joins('b', asked)
    expect(await described()).toMatchObject({ assignorName: 'range' })
    await joins('c')
    expect(await joins('d')).toMatchObject({ errorCode: 81 })
    await joins('a', { groupId: 'g2' })
    await joins('a', { groupId: 'g3' })
    expect(await joins('a', { groupId: 'g4' })).toMatchObject({ errorCode: 81 })
    await beat('a', -1, { groupId: 'g3' })
    expect(await joins('a', { groupId: 'g4' })).toMatchObject({ errorCode: 0 })
  })

  const commit = async (version: number, memberId: string, generationId: number) => {
    const partitions = [{ index: 0, offset: 7, leaderEpoch: -1, metadata: '' }]
    const request = { groupId: 'g', generationId, memberId, groupInstanceId: null, topics: [{ name: 't', partitions }] }
    type Answer = { topics: readonly { partitions: readonly { errorCode: number }[] }[] }
    return (await ask<Answer>(offsetCommit, version, request)).topics[0]?.partitions[0]?.errorCode
  }
  const fetchOffsets = async (memberId: string | null, memberEpoch: number) => {
    const groups = [{ groupId: 'g', memberId, memberEpoch, topics: null }]
    const request = { groupId: '', topics: null, requireStable: false, groups }
    return (await ask<{ groups: readonly object[] }>(offsetFetch, 9, request)).groups[0]
  }

  it('take and give offsets in the epoch of the member alone', async () => {
    await joins('a')
    expect(await commit(9, '', -1)).toBe(25)
    expect(await commit(9, 'a', 99)).toBe(113)
    expect(await commit(8, 'a', 1)).toBe(35)
    expect(await commit(9, 'z', 1)).toBe(25)
    expect(await commit(9, 'a', 1)).toBe(0)
    const found = { errorCode: 0, topics: [{ name: 't', partitions: [{ offset: 7 }] }] }
    expect(await fetchOffsets(null, -1)).toMatchObject(found)
    expect(await fetchOffsets('a', 1)).toMatchObject(found)
    expect(await fetchOffsets('a', 77)).toMatchObject({ errorCode: 113, topics: [] })
    expect(await fetchOffsets('z', 77)).toMatchObject({ errorCode: 25, topics: [] })
  })

  it('are listed with their type, and deleted when they have no members', async () => {
    await joins('a')
    const list = (typesFilter: readonly string[]) => ask(listGroups, 5, { statesFilter: [], typesFilter })
    const listed = { groups: [{ groupId: 'g', protocolType: 'consumer', groupState: 'Stable', groupType: 'consumer' }] }
    expect(await list([])).toEqual(listed)
    expect(await list(['Consumer'])).toEqual(listed)
    expect(await list(['classic'])).toEqual({ groups: [] })
    expect(await ask(describeGroups, 5, { groups: ['g'] })).toMatchObject({ groups: [{ groupState: 'Dead' }] })
    expect(await ask(deleteGroups, 2, { groupIds: ['g'] })).toMatchObject({ results: [{ errorCode: 68 }] })
    const offset = { groupId: 'g', topics: [{ name: 't', partitions: [{ index: 0 }] }] }
    expect(await ask(offsetDelete, 0, offset)).toMatchObject({ topics: [{ partitions: [{ errorCode: 86 }] }] })
    await beat('a', -1)
    expect(await ask(deleteGroups, 2, { groupIds: ['g'] })).toMatchObject({ results: [{ errorCode: 0 }] })
    expect(broker.groups.groupIds).toEqual([])
    expect(await described()).toMatchObject({ errorCode: 69, errorMessage: 'Group g not found.' })
  })

  it('become classic ones and back while they have no members, with their offsets', async () => {
    const request = { sessionTimeoutMs: 60_000, rebalanceTimeoutMs: 1, memberId: '', groupInstanceId: null }
    const protocols = [{ name: 'range', metadata: Buffer.alloc(0) }]
    const classic = () =>
      ask<{ errorCode: number; memberId: string }>(joinGroup, 3, {
        groupId: 'g',
        protocolType: 'consumer',
        protocols,
        ...request,
      })
    await joins('a')
    await commit(9, 'a', 1)
    expect(await classic()).toMatchObject({ errorCode: 23 })
    await beat('a', -1)
    const { errorCode, memberId } = await classic()
    expect(errorCode).toBe(0)
    expect(await joins('a')).toMatchObject({ errorCode: 69, errorMessage: 'Group g is not a consumer group.' })
    expect(broker.groups.consumers.find('g')).toBeUndefined()
    broker.groups.leave('g', memberId, null)
    expect(await joins('a')).toMatchObject({ errorCode: 0 })
    expect(await fetchOffsets('a', 1)).toMatchObject({ topics: [{ partitions: [{ offset: 7 }] }] })
  })

  it('are there again with the data: members go on in their epochs', async () => {
    await joins('a')
    await joins('b')
    await beat('a', 1)
    broker.close()
    broker = open()
    expect(await described()).toMatchObject({ groupState: 'Reconciling', groupEpoch: 2 })
    expect(await beat('a', 1, owns(0, 1))).toMatchObject({ memberEpoch: 2 })
    expect(given(await beat('b', 2))).toEqual([2, 3])
    expect(await described()).toMatchObject({ groupState: 'Stable', groupEpoch: 2 })
  })
})
