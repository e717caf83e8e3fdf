import { describe, expect, it } from 'vitest'
import { consumerGroupStage } from '../../../tests/consumer-group-stage.ts'
import { offsetCommit } from '../committed-offsets/offset-commit.ts'
import { offsetDelete } from '../committed-offsets/offset-delete.ts'
import { offsetFetch } from '../committed-offsets/offset-fetch.ts'
import { deleteGroups } from '../group-admin/delete-groups.ts'
import { describeGroups } from '../group-admin/describe-groups.ts'
import { listGroups } from '../group-admin/list-groups.ts'
import { joinGroup } from '../membership/join-group.ts'

/** Every answer here was compared with Apache Kafka 4.1.0's to the same request. */
describe('decisions 3.61: offsets and administration of groups of the newer protocol', () => {
  const stage = consumerGroupStage()
  const { ask, beat, described, joins } = stage

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
    expect(stage.broker.groups.groupIds).toEqual([])
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
    expect(stage.broker.groups.consumers.find('g')).toBeUndefined()
    stage.broker.groups.leave('g', memberId, null)
    expect(await joins('a')).toMatchObject({ errorCode: 0 })
    expect(await fetchOffsets('a', 1)).toMatchObject({ topics: [{ partitions: [{ offset: 7 }] }] })
  })
})
