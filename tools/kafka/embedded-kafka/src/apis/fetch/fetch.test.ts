import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeBatch } from '../../../tests/make-batch.ts'
import { makeContext } from '../../../tests/make-context.ts'
import { openTestBroker, type SoleBroker } from '../../../tests/open-test-broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { readBatchHeader } from '../../records/record-batch.ts'
import { ZERO_UUID } from '../../wire/primitives.ts'
import type { Api } from '../definition/api.ts'
import { fetch } from './fetch.ts'

interface Answer {
  readonly errorCode: number
  readonly sessionId: number
  readonly topics: readonly {
    readonly topicId: string
    readonly partitions: readonly { readonly index: number; readonly errorCode: number }[]
  }[]
}

describe('the fetch sessions of consumers', () => {
  let broker: SoleBroker

  beforeEach(() => {
    broker = openTestBroker({
      defaultPartitions: 3,
    })
    broker.topics.create('t')
  })
  afterEach(() => broker.close())

  const idOf = (name: string) => broker.topics.find(name)?.id ?? ''
  const byId = (name: string, ...indexes: readonly number[]) => ({
    name: '',
    topicId: idOf(name),
    partitions: indexes.map((index) => ({ index, currentLeaderEpoch: -1, fetchOffset: 0, maxBytes: 1000 })),
  })
  const forget = (name: string, ...partitions: readonly number[]) => ({ name: '', topicId: idOf(name), partitions })

  async function ask(wanted: {
    readonly id?: number
    readonly epoch: number
    readonly topics?: readonly object[]
    readonly forgotten?: readonly object[]
    readonly version?: number
    readonly maxWaitMs?: number
  }): Promise<Answer> {
    const request = {
      maxWaitMs: wanted.maxWaitMs ?? 0,
      minBytes: 1,
      maxBytes: 10_000,
      isolationLevel: 0,
      sessionId: wanted.id ?? 0,
      sessionEpoch: wanted.epoch,
      topics: wanted.topics ?? [],
      forgottenTopics: wanted.forgotten ?? [],
    }
    const answer = await (fetch as Api).handle(request, makeContext(broker, wanted.version ?? 17))
    return answer as Answer
  }

  function produce(index: number): void {
    const batch = makeBatch()
    const header = readBatchHeader(batch)
    if (header) broker.topics.partition('t', index).append(batch, header)
  }

  const indexes = ({ topics }: Answer) => topics.flatMap(({ partitions }) => partitions.map(({ index }) => index))
  const codes = ({ topics }: Answer) => topics.flatMap(({ partitions }) => partitions.map((each) => each.errorCode))

  it('begin with all partitions, then answer with those that changed, until they end', async () => {
    const first = await ask({ epoch: 0, topics: [byId('t', 0, 1)] })
    expect(first.sessionId).toBeGreaterThan(0)
    expect(indexes(first)).toEqual([0, 1])
    const id = first.sessionId
    expect(await ask({ id, epoch: 1 })).toEqual({ errorCode: 0, sessionId: id, nodeEndpoints: [], topics: [] })
    produce(1)
    expect(indexes(await ask({ id, epoch: 2 }))).toEqual([1])
    const changed = await ask({ id, epoch: 3, topics: [byId('t', 2)], forgotten: [forget('t', 1)] })
    expect(indexes(changed)).toEqual([2])
    expect(indexes(await ask({ id, epoch: 4, forgotten: [forget('t', 0)] }))).toEqual([])
    // The last of its partitions is forgotten: there is nothing to go on with.
    expect(await ask({ id, epoch: 5, forgotten: [forget('t', 2)] })).toEqual({
      errorCode: 0,
      sessionId: 0,
      nodeEndpoints: [],
      topics: [],
    })
    expect(await ask({ id, epoch: 6 })).toMatchObject({ errorCode: ErrorCode.FETCH_SESSION_ID_NOT_FOUND })
  })

  it('wait for records in the partitions that they know', async () => {
    const { sessionId: id } = await ask({ epoch: 0, topics: [byId('t', 0, 1, 2)] })
    const waiting = ask({ id, epoch: 1, maxWaitMs: 90_000 })
    produce(2)
    expect(indexes(await waiting)).toEqual([2])
  })

  it('are refused with an unknown id, another epoch or names in place of ids', async () => {
    const { sessionId: id } = await ask({ epoch: 0, topics: [byId('t', 0)] })
    expect(await ask({ id: id - 1, epoch: 1 })).toMatchObject({
      errorCode: 70,
      sessionId: 0,
      nodeEndpoints: [],
      topics: [],
    })
    expect(await ask({ id, epoch: 2 })).toMatchObject({ errorCode: 71 })
    expect(await ask({ id, epoch: 1, version: 12 })).toMatchObject({ errorCode: 106 })
    expect(await ask({ id, epoch: 1 })).toMatchObject({ errorCode: 0, sessionId: id })
  })

  it('are replaced by a full request, and none begins where the client wants none', async () => {
    const { sessionId: id } = await ask({ epoch: 0, topics: [byId('t', 0)] })
    const second = await ask({ id, epoch: 0, topics: [byId('t', 0)] })
    expect(second.sessionId).not.toBe(id)
    expect(await ask({ id, epoch: 1 })).toMatchObject({ errorCode: 70 })
    const last = await ask({ id: second.sessionId, epoch: -1, topics: [byId('t', 0)] })
    expect(last).toMatchObject({ sessionId: 0, topics: [{ partitions: [{ index: 0 }] }] })
    expect(await ask({ id: second.sessionId, epoch: 1 })).toMatchObject({ errorCode: 70 })
  })

  it('tell a topic that is unknown from one that is gone and one that was created again', async () => {
    const unknown = { name: '', topicId: '7'.repeat(32), partitions: byId('t', 0).partitions }
    const { sessionId: id, ...first } = await ask({ epoch: 0, topics: [byId('t', 0), unknown] })
    expect(codes({ sessionId: id, ...first })).toEqual([0, ErrorCode.UNKNOWN_TOPIC_ID])
    expect(codes(await ask({ id, epoch: 1 }))).toEqual([ErrorCode.UNKNOWN_TOPIC_ID])
    broker.topics.delete('t')
    expect(codes(await ask({ id, epoch: 2 }))).toEqual([
      ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
      ErrorCode.UNKNOWN_TOPIC_ID,
    ])
    broker.topics.create('t')
    expect(codes(await ask({ id, epoch: 3 }))).toEqual([ErrorCode.INCONSISTENT_TOPIC_ID, ErrorCode.UNKNOWN_TOPIC_ID])
  })

  it('know topics by names where the client does', async () => {
    const named = { name: 't', topicId: ZERO_UUID, partitions: byId('t', 0).partitions }
    const { sessionId: id } = await ask({ epoch: 0, topics: [named], version: 12 })
    produce(0)
    expect(indexes(await ask({ id, epoch: 1, version: 12 }))).toEqual([0])
  })
})
