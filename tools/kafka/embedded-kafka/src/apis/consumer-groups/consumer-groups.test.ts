import { describe, expect, it, vi } from 'vitest'
import { consumerGroupStage, FULL } from '../../../tests/consumer-group-stage.ts'

/** Every answer here was compared with Apache Kafka 4.1.0's to the same request. */
describe('decisions 3.61: groups of the newer protocol', () => {
  const stage = consumerGroupStage()
  const { beat, joins, owns, given, described } = stage

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
    expect(stage.broker.groups.groupIds).toEqual([])
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
    stage.broker.groups.consumers.configs.configure('g', {
      'consumer.session.timeout.ms': '1000',
      'consumer.heartbeat.interval.ms': '100',
    })
    expect(await joins('a', { rebalanceTimeoutMs: 2000 })).toMatchObject({ heartbeatIntervalMs: 100 })
    await joins('b')
    await beat('a', 1)
    for (let passed = 0; passed < 3000; passed += 500) {
      vi.advanceTimersByTime(500)
      for (const { id, epoch } of stage.broker.groups.consumers.find('g')?.members ?? []) await beat(id, epoch)
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
    stage.broker.topics.create('later', { partitions: 1 })
    expect(given(await beat('b', 2))).toEqual([0])
    expect(await beat('a', 2)).toMatchObject({ memberEpoch: 3, assignment: null })
    stage.broker.topics.grow('later', 2, { validateOnly: false })
    expect(given(await beat('b', 3))).toEqual([0, 1])
    stage.broker.topics.delete('later')
    expect(given(await beat('b', 4))).toEqual([])
  })

  it('assign as most members ask, and take so many members and groups', async () => {
    stage.broker.topics.create('u')
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

  it('are there again with the data: members go on in their epochs', async () => {
    await joins('a')
    await joins('b')
    await beat('a', 1)
    stage.reopen()
    expect(await described()).toMatchObject({ groupState: 'Reconciling', groupEpoch: 2 })
    expect(await beat('a', 1, owns(0, 1))).toMatchObject({ memberEpoch: 2 })
    expect(given(await beat('b', 2))).toEqual([2, 3])
    expect(await described()).toMatchObject({ groupState: 'Stable', groupEpoch: 2 })
  })
})
