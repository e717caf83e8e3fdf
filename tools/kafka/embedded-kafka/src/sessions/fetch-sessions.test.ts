import { describe, expect, it } from 'vitest'
import { ZERO_UUID } from '../wire/primitives.ts'
import type { FetchedPartition } from './fetch-session.ts'
import { FetchSessions } from './fetch-sessions.ts'

const partition = (index: number) => ({ index, currentLeaderEpoch: -1, fetchOffset: 0, maxBytes: 1 })
const topic = (name: string, ...indexes: readonly number[]) => ({
  name,
  topicId: ZERO_UUID,
  partitions: indexes.map(partition),
})
const many = (name: string, count: number) => topic(name, ...Array.from({ length: count }, (_, index) => index))
const fetched = (index: number, change: Partial<FetchedPartition> = {}): FetchedPartition => ({
  index,
  errorCode: 0,
  highWatermark: 5,
  logStartOffset: 0,
  records: Buffer.alloc(0),
  preferredReadReplica: -1,
  ...change,
})
const answer = (...partitions: readonly FetchedPartition[]) => [{ name: 't', topicId: ZERO_UUID, partitions }]

describe('fetch sessions', () => {
  let now = 0
  const create = (slots = 2) => {
    now = 0
    return new FetchSessions({ slots, now: () => now })
  }

  it('give way to others when they were not used for two minutes, and to larger ones when they are so old', () => {
    const sessions = create()
    const small = sessions.open([topic('t', 0)], false)
    const large = sessions.open([topic('t', 0, 1, 2)], false)
    expect(sessions.open([topic('t', 0, 1, 2, 3)], false)).toBeUndefined()
    now = 120_001
    for (const each of [small, large]) if (each) sessions.continue(each, [], [])
    expect(sessions.open([topic('t', 0)], false)).toBeUndefined()
    const larger = sessions.open([topic('t', 0, 1)], false)
    expect(larger).toBeDefined()
    expect(sessions.find(small?.id ?? 0)).toBeUndefined()
    expect(sessions.find(large?.id ?? 0)).toBe(large)
    now = 240_002
    expect(sessions.open([topic('t', 0)], false)).toBeDefined()
    expect(sessions.find(large?.id ?? 0)).toBeUndefined()
  })

  it('have two hundred thousand partitions together at most, however they grow', () => {
    const sessions = create(100)
    const first = sessions.open([many('t', 10_000)], false)
    for (let index = 1; index < 20; index += 1) expect(sessions.open([many('t', 10_000)], false)).toBeDefined()
    expect(sessions.open([topic('t', 0)], false)).toBeUndefined()
    if (!first) throw new Error('there was room for the first one')
    expect(sessions.continue(first, [topic('t', 1)], [])).toBe(true)
    expect(sessions.continue(first, [topic('u', 1)], [])).toBe(false)
    expect(sessions.find(first.id)).toBeUndefined()
  })

  it('answer with what is new, and read what had records last', () => {
    const session = create().open([topic('t', 0, 1, 2)], false)
    if (!session) throw new Error('there was room')
    const indexes = (...partitions: readonly FetchedPartition[]) =>
      session.news(answer(...partitions)).flatMap((each) => each.partitions.map(({ index }) => index))
    expect(indexes(fetched(0), fetched(1), fetched(2))).toEqual([0, 1, 2])
    expect(indexes(fetched(0), fetched(1), fetched(2))).toEqual([])
    expect(indexes(fetched(0, { highWatermark: 6 }), fetched(1, { logStartOffset: 1 }))).toEqual([0, 1])
    expect(indexes(fetched(2, { errorCode: 1 }))).toEqual([2])
    expect(indexes(fetched(2))).toEqual([2])
    expect(indexes(fetched(2))).toEqual([])
    expect(indexes(fetched(0, { highWatermark: 6, records: Buffer.alloc(1) }))).toEqual([0])
    expect(session.topics(() => undefined).flatMap((each) => each.partitions.map(({ index }) => index))).toEqual([
      1, 2, 0,
    ])
  })
})
