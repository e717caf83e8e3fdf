import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestBroker, type SoleBroker } from '../../../tests/open-test-broker.ts'
import { ShareClient } from '../../../tests/share-client.ts'
import { offsetCommit } from '../committed-offsets/offset-commit.ts'
import { offsetDelete } from '../committed-offsets/offset-delete.ts'
import { consumerGroupHeartbeat } from '../consumer-groups/consumer-group-heartbeat.ts'
import { deleteGroups } from '../group-admin/delete-groups.ts'
import { describeGroups } from '../group-admin/describe-groups.ts'
import { listGroups } from '../group-admin/list-groups.ts'
import { joinGroup } from '../membership/join-group.ts'

/** Every answer here was compared with Apache Kafka 4.1.0's to the same request. */
describe('decisions 3.88: share groups', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'share-groups-'))
  let broker: SoleBroker

  const open = () => {
    broker = openTestBroker({
      dataDir,
      defaultPartitions: 2,
      limits: {
        maxPartitions: 100,
        maxTopicPartitions: 100,
        maxGroups: 2,
        maxGroupMembers: 3,
        maxTransactionalIds: 10,
      },
    })
  }
  const member = (id: string) => new ShareClient(broker, id)
  const ask = <T>(...asked: Parameters<ShareClient['ask']>) => member('').ask<T>(...asked)

  beforeEach(() => {
    open()
    broker.topics.create('t')
  })
  afterEach(() => {
    broker.close()
    rmSync(dataDir, { recursive: true })
  })

  it.each([
    ['', 0, ['t'], 42, "MemberId can't be empty."],
    ['m', 5, null, 69, 'Share group g not found.'],
    ['m', -1, null, 69, 'Group g not found.'],
    ['m', -2, null, 42, 'MemberEpoch is invalid.'],
    ['m', 0, null, 42, 'SubscribedTopicNames must be set in first request.'],
    ['m', 0, [], 42, 'SubscribedTopicNames must be set in first request.'],
  ])('refuse %j in epoch %d with %j', async (id, epoch, topics, errorCode, errorMessage) => {
    expect(await member(id).heartbeat(epoch, topics)).toMatchObject({ errorCode, errorMessage, memberEpoch: 0 })
  })

  it('give members partitions, which more members than partitions share', async () => {
    const [a, b, c] = [member('a'), member('b'), member('c')]
    const assigned = async (client: ShareClient, epoch: number, topics: readonly string[] | null = null) => {
      const { assignment, memberEpoch } = await client.heartbeat(epoch, topics)
      return [memberEpoch, assignment?.topicPartitions.flatMap(({ partitions }) => partitions)]
    }
    expect(await assigned(a, 0, ['t'])).toEqual([1, [0, 1]])
    expect(await assigned(b, 0, ['t'])).toEqual([2, [1]])
    expect(await assigned(a, 1)).toEqual([2, [0]])
    expect(await assigned(a, 2)).toEqual([2, undefined])
    expect((await c.heartbeat(0, ['t'])).assignment?.topicPartitions).toHaveLength(1)
    expect(await member('d').heartbeat(0, ['t'])).toMatchObject({
      errorCode: 81,
      errorMessage: 'The share group has reached its maximum capacity of 3 members.',
    })
    expect(await b.heartbeat(2, [])).toMatchObject({ memberEpoch: 4, assignment: { topicPartitions: [] } })
  })

  it('take the epoch before as a repetition, and fence others', async () => {
    const a = member('a')
    await a.heartbeat(0, ['t'])
    await member('b').heartbeat(0, ['t'])
    await a.heartbeat(1)
    expect(await a.heartbeat(1)).toMatchObject({ errorCode: 0, memberEpoch: 2, assignment: null })
    expect(await a.heartbeat(3)).toMatchObject({
      errorCode: 110,
      errorMessage:
        'The share group member has a greater member epoch (3) than the one known by the group coordinator (2). ' +
        'The member must abandon all its partitions and rejoin.',
    })
    expect(await a.heartbeat(0, ['t'])).toMatchObject({
      errorCode: 110,
      errorMessage:
        'The share group member has a smaller member epoch (0) than the one known by the group coordinator (2), ' +
        'and it does not match the previous member epoch (1). The member must abandon all its partitions and rejoin.',
    })
    expect(await member('z').heartbeat(1)).toMatchObject({
      errorCode: 25,
      errorMessage: 'Member z is not a member of group g.',
    })
  })

  it('notice new topics and partitions', async () => {
    const a = member('a')
    await a.heartbeat(0, ['t', 'u'])
    broker.topics.create('u')
    broker.topics.grow('t', 3, { validateOnly: false })
    const { assignment, memberEpoch } = await a.heartbeat(1)
    expect(memberEpoch).toBe(2)
    expect(assignment?.topicPartitions.flatMap(({ partitions }) => partitions).sort()).toEqual([0, 0, 1, 1, 2])
  })

  it('go on after a restart with members, assignments and epochs', async () => {
    await member('a').heartbeat(0, ['t'])
    const before = await member('a').describe()
    broker.close()
    open()
    expect(await member('a').describe()).toEqual(before)
    expect(await member('a').heartbeat(1)).toMatchObject({ errorCode: 0, memberEpoch: 1, assignment: null })
  })

  it('let members go that are not heard of', async () => {
    await member('a').heartbeat(0, ['t'])
    broker.clock.advance(44_000)
    await member('a').heartbeat(1)
    broker.clock.advance(44_000)
    expect(broker.groups.shares.find('g')?.state).toBe('Stable')
    broker.clock.advance(2000)
    expect(await member('a').describe()).toMatchObject({
      groups: [
        { errorCode: 0, groupState: 'Empty', groupEpoch: 2, assignmentEpoch: 1, assignorName: 'simple', members: [] },
      ],
    })
  })

  it('are groups of their own: no other protocol gets in, also while they are empty', async () => {
    await member('a').heartbeat(0, ['t'])
    const others = async () => [
      await ask(consumerGroupHeartbeat, 1, {
        groupId: 'g',
        memberId: 'x',
        memberEpoch: 0,
        instanceId: null,
        rackId: null,
        rebalanceTimeoutMs: 1000,
        subscribedTopicNames: ['t'],
        subscribedTopicRegex: null,
        serverAssignor: null,
        topicPartitions: [],
      }),
      await ask(joinGroup, 5, {
        groupId: 'g',
        sessionTimeoutMs: 30_000,
        rebalanceTimeoutMs: 30_000,
        memberId: '',
        groupInstanceId: null,
        protocolType: 'consumer',
        protocols: [{ name: 'range', metadata: Buffer.alloc(4) }],
      }),
      await ask(offsetCommit, 8, {
        groupId: 'g',
        generationId: -1,
        memberId: '',
        groupInstanceId: null,
        topics: [{ name: 't', partitions: [{ index: 0, offset: 1, leaderEpoch: -1, metadata: '' }] }],
      }),
      await ask(offsetDelete, 0, { groupId: 'g', topics: [{ name: 't', partitions: [{ index: 0 }] }] }),
    ]
    const refusals = [
      { errorCode: 69, errorMessage: 'Group g is not a consumer group.' },
      { errorCode: 23 },
      { topics: [{ partitions: [{ errorCode: 69 }] }] },
      { errorCode: 69 },
    ]
    expect(await others()).toMatchObject(refusals)
    await member('a').heartbeat(-1)
    expect(await others()).toMatchObject(refusals)
    expect(await ask(describeGroups, 5, { groups: ['g'], includeAuthorizedOperations: false })).toMatchObject({
      groups: [{ errorCode: 0, groupState: 'Dead' }],
    })
    await ask(offsetCommit, 8, {
      groupId: 'classic',
      generationId: -1,
      memberId: '',
      groupInstanceId: null,
      topics: [{ name: 't', partitions: [{ index: 0, offset: 1, leaderEpoch: -1, metadata: '' }] }],
    })
    const { shares } = broker.groups
    const beat = { groupId: 'classic', memberId: 'a', memberEpoch: 0, rackId: null, subscribedTopicNames: ['t'] }
    expect(() => shares.heartbeat(beat, { clientId: '', clientHost: '' })).toThrow(
      'Group classic is not a share group.',
    )
  })

  it('are listed by their type, and deleted without members only', async () => {
    await member('a').heartbeat(0, ['t'])
    const listed = { groupId: 'g', protocolType: 'share', groupState: 'Stable', groupType: 'share' }
    expect(await ask(listGroups, 5, { statesFilter: [], typesFilter: ['Share'] })).toEqual({ groups: [listed] })
    expect(await ask(listGroups, 5, { statesFilter: [], typesFilter: ['consumer'] })).toEqual({ groups: [] })
    expect(await ask(deleteGroups, 2, { groupIds: ['g'] })).toMatchObject({ results: [{ errorCode: 68 }] })
    await member('a').heartbeat(-1)
    expect(await ask(deleteGroups, 2, { groupIds: ['g', 'g'] })).toMatchObject({
      results: [{ errorCode: 0 }, { errorCode: 69 }],
    })
    expect(await member('a').offsets()).toEqual([])
    expect(await member('a').describe()).toMatchObject({
      groups: [{ errorCode: 69, errorMessage: 'Group g not found.', groupState: '' }],
    })
  })

  it('are as many as the broker takes', () => {
    const { shares } = broker.groups
    const beat = (groupId: string) => {
      const request = { groupId, memberId: 'a', memberEpoch: 0, rackId: null, subscribedTopicNames: ['t'] }
      return shares.heartbeat(request, { clientId: '', clientHost: '' })
    }
    beat('one')
    beat('two')
    expect(() => beat('three')).toThrow('There are too many groups.')
    expect(() => beat('x'.repeat(1001))).toThrow('An id or the subscription is too long.')
  })
})
