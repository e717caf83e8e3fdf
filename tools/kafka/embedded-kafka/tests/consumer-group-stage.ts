import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, vi } from 'vitest'
import { consumerGroupDescribe } from '../src/apis/consumer-groups/consumer-group-describe.ts'
import { consumerGroupHeartbeat } from '../src/apis/consumer-groups/consumer-group-heartbeat.ts'
import type { Api } from '../src/apis/definition/api.ts'
import { makeContext } from './make-context.ts'
import { openTestBroker, type SoleBroker } from './open-test-broker.ts'

interface Beat {
  readonly errorCode: number
  readonly errorMessage: string | null
  readonly memberId: string | null
  readonly memberEpoch: number
  readonly heartbeatIntervalMs: number
  readonly assignment: { readonly topicPartitions: readonly { readonly partitions: readonly number[] }[] } | null
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

/** A member's first heartbeat: it has to name everything. */
export const FULL = { rebalanceTimeoutMs: 30_000, subscribedTopicNames: ['t'], topicPartitions: [] }

/** For each test a broker with the topic `t` of four partitions, and what members of the group `g` send. */
export function consumerGroupStage() {
  const dataDir = mkdtempSync(join(tmpdir(), 'consumer-groups-'))
  let broker: SoleBroker
  const open = () =>
    openTestBroker({
      dataDir,
      defaultPartitions: 4,
      limits: {
        maxPartitions: 100,
        maxTopicPartitions: 100,
        maxGroups: 3,
        maxGroupMembers: 3,
        maxTransactionalIds: 10,
      },
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
  const beat = (memberId: string, memberEpoch: number, said: object = {}, version = 1) =>
    ask<Beat>(consumerGroupHeartbeat, version, { ...NOTHING_SAID, memberId, memberEpoch, ...said })

  return {
    get broker() {
      return broker
    },
    reopen() {
      broker.close()
      broker = open()
    },
    ask,
    beat,
    joins: (memberId: string, said: object = {}) => beat(memberId, 0, { ...FULL, ...said }),
    owns: (...partitions: readonly number[]) => ({
      topicPartitions: [{ topicId: broker.topics.find('t')?.id, partitions }],
    }),
    given: ({ assignment }: Beat) => assignment?.topicPartitions.flatMap(({ partitions }) => partitions),
    async described() {
      const asked = { groupIds: ['g'], includeAuthorizedOperations: false }
      const { groups } = await ask<{ groups: readonly Record<string, unknown>[] }>(consumerGroupDescribe, 1, asked)
      return groups[0]
    },
  }
}
