import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeContext } from '../../../tests/make-context.ts'
import { openTestBroker, type SoleBroker } from '../../../tests/open-test-broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import {
  type Acl,
  ALLOW,
  CLUSTER_NAME,
  LITERAL,
  OPERATIONS,
  type Operation,
  RESOURCE_TYPES,
} from '../../security/acl/acl.ts'
import { ANONYMOUS } from '../../security/principal.ts'
import { consumerGroupDescribe } from '../consumer-groups/consumer-group-describe.ts'
import { consumerGroupHeartbeat } from '../consumer-groups/consumer-group-heartbeat.ts'
import type { Api } from '../definition/api.ts'
import { fetch } from '../fetch/fetch.ts'
import { addPartitionsToTxn } from '../producer-transactions/add-partitions-to-txn.ts'
import { alterPartitionReassignments } from '../replica-admin/alter-partition-reassignments.ts'
import { electLeaders } from '../replica-admin/elect-leaders.ts'
import { listPartitionReassignments } from '../replica-admin/list-partition-reassignments.ts'
import { handleGuarded } from './guards.ts'

const { TOPIC_AUTHORIZATION_FAILED, GROUP_AUTHORIZATION_FAILED, CLUSTER_AUTHORIZATION_FAILED, NONE } = ErrorCode

describe('decisions 3.56: with an authorizer', () => {
  let broker: SoleBroker

  beforeEach(() => {
    broker = openTestBroker({
      authorizer: { superUsers: new Set(), allowEveryoneIfNoAclFound: false },
    })
    broker.topics.create('t')
  })
  afterEach(() => broker.close())

  const ask = async <T>(api: Api, version: number, request: unknown) =>
    (await handleGuarded(api, request, makeContext(broker, version, { clientHost: '/127.0.0.1' }))) as T

  function allow(operation: Operation, type: keyof typeof RESOURCE_TYPES, resourceName: string): Acl {
    const acl: Acl = {
      resourceType: RESOURCE_TYPES[type],
      resourceName,
      patternType: LITERAL,
      principal: ANONYMOUS,
      host: '*',
      operation: OPERATIONS[operation],
      permissionType: ALLOW,
    }
    broker.acls.add(acl)
    return acl
  }

  it('a fetch session reads no further once a permission is withdrawn', async () => {
    interface Answer {
      readonly sessionId: number
      readonly topics: readonly { readonly partitions: readonly { readonly errorCode: number }[] }[]
    }
    const wanted = {
      name: '',
      topicId: broker.topics.find('t')?.id,
      partitions: [{ index: 0, currentLeaderEpoch: -1, fetchOffset: 0, maxBytes: 1000 }],
    }
    const read = (sessionId: number, sessionEpoch: number, topics: readonly object[]) =>
      ask<Answer>(fetch, 17, {
        maxWaitMs: 0,
        minBytes: 1,
        maxBytes: 1000,
        isolationLevel: 0,
        sessionId,
        sessionEpoch,
        topics,
        forgottenTopics: [],
      })
    const permission = allow('READ', 'TOPIC', 't')
    const { sessionId, topics } = await read(0, 0, [wanted])
    expect(topics[0]?.partitions[0]?.errorCode).toBe(NONE)
    broker.acls.remove(permission)
    const later = await read(sessionId, 1, [])
    expect(later.topics[0]?.partitions[0]?.errorCode).toBe(TOPIC_AUTHORIZATION_FAILED)
  })

  const joins = {
    groupId: 'g',
    memberId: 'm',
    memberEpoch: 0,
    instanceId: null,
    rackId: null,
    rebalanceTimeoutMs: 30_000,
    subscribedTopicNames: ['t'],
    subscribedTopicRegex: null,
    serverAssignor: null,
    topicPartitions: [],
  }
  const codeOfJoin = async (change: object = {}) =>
    (await ask<{ errorCode: number }>(consumerGroupHeartbeat, 1, { ...joins, ...change })).errorCode

  it('a member joins a group that it may read, for topics that it may see', async () => {
    expect(await codeOfJoin()).toBe(GROUP_AUTHORIZATION_FAILED)
    allow('READ', 'GROUP', 'g')
    expect(await codeOfJoin()).toBe(TOPIC_AUTHORIZATION_FAILED)
    allow('DESCRIBE', 'TOPIC', 't')
    expect(await codeOfJoin()).toBe(NONE)
  })

  it('an expression takes sight of all topics', async () => {
    broker.topics.create('hidden')
    allow('READ', 'GROUP', 'g')
    allow('DESCRIBE', 'TOPIC', 't')
    const byExpression = { subscribedTopicNames: null, subscribedTopicRegex: '.*' }
    expect(await codeOfJoin(byExpression)).toBe(TOPIC_AUTHORIZATION_FAILED)
    allow('DESCRIBE', 'TOPIC', 'hidden')
    expect(await codeOfJoin(byExpression)).toBe(NONE)
  })

  it('a group is shown without its members while one of their topics may not be seen', async () => {
    allow('READ', 'GROUP', 'g')
    const seen = allow('DESCRIBE', 'TOPIC', 't')
    expect(await codeOfJoin()).toBe(NONE)
    const described = async () => {
      const asked = { groupIds: ['g'], includeAuthorizedOperations: false }
      const { groups } = await ask<{ groups: readonly object[] }>(consumerGroupDescribe, 1, asked)
      return groups[0]
    }
    expect(await described()).toMatchObject({ errorCode: NONE, members: [{ memberId: 'm' }] })
    broker.acls.remove(seen)
    expect(await described()).toMatchObject({ errorCode: TOPIC_AUTHORIZATION_FAILED, groupState: '', members: [] })
  })

  it('the transactions of others are added to by brokers only', async () => {
    const request = { transactions: [], transactionalId: '', producerId: -1, producerEpoch: -1, topics: [] }
    const code = async () => (await ask<{ errorCode: number }>(addPartitionsToTxn, 5, request)).errorCode
    expect(await code()).toBe(CLUSTER_AUTHORIZATION_FAILED)
    allow('CLUSTER_ACTION', 'CLUSTER', CLUSTER_NAME)
    expect(await code()).toBe(NONE)
  })

  it.each([
    ['ElectLeaders', electLeaders, 'ALTER', { electionType: 0, topics: [], timeoutMs: 1000 }],
    ['AlterPartitionReassignments', alterPartitionReassignments, 'ALTER', { timeoutMs: 1000, topics: [] }],
    ['ListPartitionReassignments', listPartitionReassignments, 'DESCRIBE', { timeoutMs: 1000, topics: [] }],
  ] as const)(
    'replicas are moved and listed by who may do that to the cluster: %s',
    async (_name, api, may, request) => {
      const code = async () => (await ask<{ errorCode: number }>(api as Api, api.maxVersion, request)).errorCode
      expect(await code()).toBe(CLUSTER_AUTHORIZATION_FAILED)
      allow(may, 'CLUSTER', CLUSTER_NAME)
      expect(await code()).toBe(NONE)
    },
  )
})
