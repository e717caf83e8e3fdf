import { describe, expect, it } from 'vitest'
import type { GroupView, TopicView } from '../src/api/kafka.ts'
import { LagTrend } from '../src/kafka/lag-trend.ts'
import { RecordCounter } from '../src/kafka/record-counter.ts'
import { numbered, openKafkaAndConsole } from './fixtures/kafka.ts'

const { console, kafka } = await openKafkaAndConsole()

async function topicOf(name: string): Promise<TopicView | undefined> {
  return (await console.get(`/topics?name=${name}`)).body.items[0]
}

async function groupOf(groupId: string): Promise<GroupView | undefined> {
  const { body } = await console.get('/groups')
  return body.items.find((each: GroupView) => each.groupId === groupId)
}

describe('decisions 3.163: numbers of records', () => {
  it('leave out markers of transactions and aborted records', async () => {
    const topic = await kafka.makeTopic(2)
    await kafka.write(topic, numbered(3), { end: 'commit' })
    await kafka.write(topic, numbered(5), { end: 'abort' })
    await kafka.write(topic, [{ value: 'other', partition: 1 }])
    expect(await topicOf(topic)).toMatchObject({
      records: { count: 4, isExact: true },
      partitions: [{ high: '10' }, { high: '1' }],
    })
    await kafka.write(topic, numbered(2), { end: 'commit' })
    expect((await topicOf(topic))?.records).toEqual({ count: 6, isExact: true })
  })

  it('are at most what offsets say where there are too many to be read', async () => {
    const topic = await kafka.makeTopic()
    await kafka.write(topic, numbered(1200), { end: 'commit' })
    expect((await topicOf(topic))?.records).toEqual({ count: 1201, isExact: false })
  })

  it('begin at 0 when a topic was deleted and created again', async () => {
    const topic = await kafka.makeTopic()
    await kafka.write(topic, numbered(7))
    expect((await topicOf(topic))?.records.count).toBe(7)
    expect(await console.remove(`/topics/${topic}`)).toMatchObject({ status: 204 })
    expect(await console.post('/topics', { name: topic })).toMatchObject({ status: 204 })
    await kafka.write(topic, numbered(8), { end: 'commit' })
    expect((await topicOf(topic))?.records).toEqual({ count: 8, isExact: true })
  })

  it('are read again after a minute: another client may have deleted the topic and created it again', async () => {
    let now = 0
    const counter = new RecordCounter(() => now)
    const topic = await kafka.makeTopic()
    const countTo = (to: bigint) =>
      console.kafka.link.call((admin) =>
        counter.count(admin, topic, [{ partition: 0, from: 0n, to }], Number.POSITIVE_INFINITY),
      )
    await kafka.write(topic, numbered(3), { end: 'commit' })
    expect(await countTo(4n)).toEqual({ count: 3, isExact: true })
    expect(await console.remove(`/topics/${topic}`)).toMatchObject({ status: 204 })
    expect(await console.post('/topics', { name: topic })).toMatchObject({ status: 204 })
    await kafka.write(topic, numbered(8))
    now += 60_000
    expect(await countTo(8n)).toEqual({ count: 8, isExact: true })
  })
})

describe('decisions 3.163: lag', () => {
  it('is 0 when only the marker of a transaction is left', async () => {
    const topic = await kafka.makeTopic()
    const groupId = `g-${topic}`
    await kafka.write(topic, numbered(3), { end: 'commit' })
    await using _member = await kafka.reading(groupId, topic, 3)
    expect(await groupOf(groupId)).toMatchObject({
      offsets: [{ committed: '3', high: '4' }],
      lags: [{ topic, count: 0, isExact: true }],
    })
  })

  it('is not said of a group that has committed nothing', async () => {
    const topic = await kafka.makeTopic()
    const groupId = `g-${topic}`
    await kafka.write(topic, numbered(3))
    await using _member = await kafka.reading(groupId, topic, 3, { commits: false })
    expect(await groupOf(groupId)).toMatchObject({ offsets: [{ committed: null, high: '3' }], lags: [] })
    expect((await console.kafka.lagOf()).filter((lag) => lag.groupId === groupId)).toEqual([])
  })

  it.each([
    ['is read again within ten seconds', [0, 50, 80, 20, 60, 30], [false, false, false, false, false, false]],
    ['stays as it was before', [7, 7, 7, 7, 7], [false, false, false, false, false]],
    ['grows', [0, 5, 9, 14, 20], [false, false, false, true, true]],
    ['grew, and is not read since', [0, 5, 5, 5, 5], [false, false, false, true, true]],
    ['grew, and is read then', [0, 5, 9, 14, 13, 2], [false, false, false, true, false, false]],
    ['grows after a long time', [3, 3, 3, 3, 4, 5, 6], [false, false, false, false, false, false, true]],
  ])('grows: one that %s', (_what, lags, expected) => {
    let now = 0
    const trend = new LagTrend(() => now)
    const seen = lags.map((lag) => {
      now += 4000
      return trend.isGrowing('group topic', lag)
    })
    expect(seen).toEqual(expected)
  })

  it('grows only as long as it is read', () => {
    let now = 0
    const trend = new LagTrend(() => now)
    trend.isGrowing('group topic', 1)
    now += 60_000
    expect(trend.isGrowing('group topic', 9)).toBe(false)
  })
})
