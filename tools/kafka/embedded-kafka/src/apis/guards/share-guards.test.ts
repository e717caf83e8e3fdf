import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeContext } from '../../../tests/make-context.ts'
import { openTestBroker, type SoleBroker } from '../../../tests/open-test-broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { ALLOW, LITERAL, OPERATIONS, type Operation, RESOURCE_TYPES } from '../../security/acl/acl.ts'
import { ANONYMOUS } from '../../security/principal.ts'
import type { Api } from '../definition/api.ts'
import { alterShareGroupOffsets } from '../share-groups/alter-share-group-offsets.ts'
import { deleteShareGroupOffsets } from '../share-groups/delete-share-group-offsets.ts'
import { describeShareGroupOffsets } from '../share-groups/describe-share-group-offsets.ts'
import { shareAcknowledge } from '../share-groups/share-acknowledge.ts'
import { shareFetch } from '../share-groups/share-fetch.ts'
import { shareGroupDescribe } from '../share-groups/share-group-describe.ts'
import { shareGroupHeartbeat } from '../share-groups/share-group-heartbeat.ts'
import { handleGuarded } from './guards.ts'

const { TOPIC_AUTHORIZATION_FAILED: NOT_TOPIC, GROUP_AUTHORIZATION_FAILED: NOT_GROUP, NONE } = ErrorCode

describe('decisions 3.56: share groups with an authorizer', () => {
  let broker: SoleBroker

  beforeEach(() => {
    broker = openTestBroker({ authorizer: { superUsers: new Set(), allowEveryoneIfNoAclFound: false } })
    broker.topics.create('t')
  })
  afterEach(() => broker.close())

  const ask = (api: Api, request: unknown) =>
    handleGuarded(api, request, makeContext(broker, api.maxVersion, { clientHost: '/127.0.0.1' }))

  const allow = (operation: Operation, type: 'TOPIC' | 'GROUP', resourceName: string): void =>
    broker.acls.add({
      resourceType: RESOURCE_TYPES[type],
      resourceName,
      patternType: LITERAL,
      principal: ANONYMOUS,
      host: '*',
      operation: OPERATIONS[operation],
      permissionType: ALLOW,
    })

  const beat = () => ({ groupId: 'g', memberId: 'm', memberEpoch: 0, rackId: null, subscribedTopicNames: ['t'] })
  const fetched = () => ({
    groupId: 'g',
    memberId: 'm',
    shareSessionEpoch: 0,
    maxWaitMs: 0,
    minBytes: 1,
    maxBytes: 1000,
    maxRecords: 10,
    batchSize: 10,
    topics: [{ topicId: broker.topics.find('t')?.id, partitions: [{ index: 0, acknowledgementBatches: [] }] }],
    forgottenTopics: [],
  })
  const acknowledged = () => ({
    groupId: 'g',
    memberId: 'm',
    shareSessionEpoch: 1,
    topics: fetched().topics.map(({ topicId }) => ({
      topicId,
      partitions: [{ index: 0, acknowledgementBatches: [{ firstOffset: 0, lastOffset: 0, acknowledgeTypes: [1] }] }],
    })),
  })
  const wanted = () => ({ groups: [{ groupId: 'g', topics: [{ name: 't', partitions: [0] }] }] })
  const altered = () => ({ groupId: 'g', topics: [{ name: 't', partitions: [{ index: 0, startOffset: 0 }] }] })
  const deleted = () => ({ groupId: 'g', topics: [{ name: 't' }] })
  const described = () => ({ groupIds: ['g'], includeAuthorizedOperations: false })

  it('nothing is to be had without permission for the group', async () => {
    expect(await ask(shareGroupHeartbeat, beat())).toMatchObject({ errorCode: NOT_GROUP, assignment: null })
    expect(await ask(shareGroupDescribe, described())).toMatchObject({
      groups: [{ groupId: 'g', errorCode: NOT_GROUP }],
    })
    expect(await ask(shareFetch, fetched())).toMatchObject({ errorCode: NOT_GROUP, topics: [] })
    expect(await ask(shareAcknowledge, acknowledged())).toMatchObject({ errorCode: NOT_GROUP, topics: [] })
    expect(await ask(describeShareGroupOffsets, wanted())).toMatchObject({ groups: [{ errorCode: NOT_GROUP }] })
    expect(await ask(alterShareGroupOffsets, altered())).toMatchObject({ errorCode: NOT_GROUP })
    expect(await ask(deleteShareGroupOffsets, deleted())).toMatchObject({ errorCode: NOT_GROUP })
  })

  it('topics need permission of their own', async () => {
    for (const operation of ['READ', 'DESCRIBE', 'DELETE'] as const) allow(operation, 'GROUP', 'g')
    broker.groups.shares.heartbeat(beat(), { clientId: '', clientHost: '' })
    expect(await ask(shareGroupHeartbeat, beat())).toMatchObject({ errorCode: NOT_TOPIC, assignment: null })
    expect(await ask(shareGroupDescribe, described())).toMatchObject({
      groups: [{ groupId: 'g', errorCode: NOT_TOPIC, members: [] }],
    })
    const refused = [{ partitions: [{ errorCode: NOT_TOPIC }] }]
    expect(await ask(shareFetch, fetched())).toMatchObject({ errorCode: NONE, topics: refused })
    expect(await ask(shareAcknowledge, acknowledged())).toMatchObject({ errorCode: NONE, topics: refused })
    expect(await ask(describeShareGroupOffsets, wanted())).toMatchObject({ groups: [{ topics: refused }] })
    expect(await ask(describeShareGroupOffsets, { groups: [{ groupId: 'g', topics: null }] })).toMatchObject({
      groups: [{ errorCode: NONE, topics: [] }],
    })
    expect(await ask(alterShareGroupOffsets, altered())).toMatchObject({ topics: refused })
    expect(await ask(deleteShareGroupOffsets, deleted())).toMatchObject({ topics: [{ errorCode: NOT_TOPIC }] })
  })

  it('members with both read, and see where they are', async () => {
    allow('READ', 'GROUP', 'g')
    allow('READ', 'TOPIC', 't')
    expect(await ask(shareGroupHeartbeat, beat())).toMatchObject({ errorCode: NONE, memberEpoch: 1 })
    expect(await ask(shareGroupDescribe, described())).toMatchObject({
      groups: [{ errorCode: NONE, groupState: 'Stable' }],
    })
    expect(await ask(shareFetch, fetched())).toMatchObject({ topics: [{ partitions: [{ errorCode: NONE }] }] })
    expect(await ask(describeShareGroupOffsets, wanted())).toMatchObject({
      groups: [{ topics: [{ partitions: [{ errorCode: NONE, startOffset: -1 }] }] }],
    })
  })
})
