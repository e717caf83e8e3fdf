import { randomUUID } from 'node:crypto'
import { CompressionTypes } from '@taproom/kafkajs'
import { readSse } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import type { RecordView } from '../src/api/kafka.ts'
import { BEARER } from './fixtures/console.ts'
import { BEGIN, numbered, openKafkaAndConsole } from './fixtures/kafka.ts'

const { console, kafka } = await openKafkaAndConsole()

const valuesOf = (items: readonly RecordView[]) => items.map(({ value }) => value?.text)

async function records(topic: string, query = '') {
  const { status, body } = await console.get(`/topics/${topic}/records${query}`)
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.items as RecordView[]
}

describe('records', () => {
  it('are the newest by default, the last one at the end', async () => {
    const topic = await kafka.makeTopic()
    await kafka.write(topic, numbered(120))
    const newest = await records(topic)
    expect(newest).toHaveLength(50)
    expect(newest.at(-1)).toMatchObject({
      topic,
      partition: 0,
      offset: '119',
      key: { text: 'k119', encoding: 'utf8', bytes: 4 },
    })
    expect(valuesOf(await records(topic, '?limit=2'))).toEqual(['v118', 'v119'])
  })

  it('are read from an offset or a time on', async () => {
    const topic = await kafka.makeTopic(2)
    const timed = [1000, 2000, 3000].map((ms) => ({ value: `at ${ms}`, partition: 0, timestamp: String(BEGIN + ms) }))
    await kafka.write(topic, [...timed, { value: 'other', partition: 1, timestamp: String(BEGIN + 2500) }])
    expect(valuesOf(await records(topic, '?partition=0&offset=1&limit=1'))).toEqual(['at 2000'])
    expect(valuesOf(await records(topic, `?time=${BEGIN + 2000}`))).toEqual(['at 2000', 'other', 'at 3000'])
    expect(valuesOf(await records(topic, `?time=${BEGIN + 2000}&partition=0`))).toEqual(['at 2000', 'at 3000'])
    expect(await records(topic, `?time=${BEGIN + 4000}`)).toEqual([])
    expect(await records(topic, '?partition=0&offset=99')).toEqual([])
  })

  it('decisions 3.117: are those that were committed, also behind long stretches of others', async () => {
    const topic = await kafka.makeTopic()
    await kafka.write(topic, [{ value: 'first' }], { end: 'commit' })
    await kafka.write(topic, numbered(90), { end: 'abort' })
    await kafka.write(topic, [{ value: 'last' }], { end: 'commit' })
    expect(valuesOf(await records(topic, '?limit=2'))).toEqual(['first', 'last'])
    expect(valuesOf(await records(topic, '?partition=0&offset=0&limit=2'))).toEqual(['first', 'last'])
  })

  it('show any bytes: text as it is, others as base64, long ones cut off', async () => {
    const topic = await kafka.makeTopic()
    const bytes = Buffer.from([0xff, 0, 1])
    const headers = { __proto__x: 'x', many: ['1', '2'], binary: bytes }
    await kafka.write(topic, [
      { key: bytes, value: '{"beer":"Düvel"}', headers, partition: 0 },
      { key: null, value: null, partition: 0 },
      { value: `a${'é'.repeat(40_000)}`, partition: 0 },
      { value: 'packed'.repeat(10), partition: 0 },
    ])
    const [first, second, long] = await records(topic)
    expect(first).toMatchObject({
      key: { text: bytes.toString('base64'), encoding: 'base64', bytes: 3 },
      value: { text: '{"beer":"Düvel"}', encoding: 'utf8', bytes: 17 },
    })
    expect(first?.headers).toEqual([
      { name: '__proto__x', value: { text: 'x', encoding: 'utf8', bytes: 1 } },
      { name: 'many', value: { text: '1', encoding: 'utf8', bytes: 1 } },
      { name: 'many', value: { text: '2', encoding: 'utf8', bytes: 1 } },
      { name: 'binary', value: { text: bytes.toString('base64'), encoding: 'base64', bytes: 3 } },
    ])
    expect(second).toMatchObject({ key: null, value: null })
    expect(long?.value).toMatchObject({ encoding: 'utf8', bytes: 80_001 })
    expect(long?.value?.text).toBe(`a${'é'.repeat(32_767)}`)
    const whole = await console.get(`/topics/${topic}/partitions/0/records/2`)
    expect(whole).toMatchObject({ status: 200, body: { ...long, value: { text: `a${'é'.repeat(40_000)}` } } })
  })

  it('are bounded in bytes', async () => {
    const topic = await kafka.makeTopic()
    for (let round = 0; round < 5; round += 1) {
      await kafka.write(
        topic,
        Array.from({ length: 20 }, () => ({ value: 'x'.repeat(60_000), partition: 0 })),
        { compression: CompressionTypes.GZIP },
      )
    }
    const newest = await records(topic, '?limit=500')
    expect(newest.length).toBeGreaterThan(10)
    expect(newest.length).toBeLessThan(75)
    expect(newest.at(-1)?.offset).toBe('99')
  })

  it('can be written, and answer where they are', async () => {
    const topic = await kafka.makeTopic(3)
    const sent = await console.post(`/topics/${topic}/records`, {
      partition: 2,
      key: 'k',
      value: '{"a":1}',
      headers: { h: 'x' },
    })
    expect(sent).toMatchObject({ status: 200, body: { topic, partition: 2, offset: '0', value: { text: '{"a":1}' } } })
    expect(await records(topic)).toEqual([sent.body])
    const tombstone = await console.post(`/topics/${topic}/records`, { key: 'k', value: null })
    expect(tombstone).toMatchObject({ status: 200, body: { value: null, key: { text: 'k' } } })
  })

  it('come live: the newest first of all, then each that is written', async () => {
    const topic = await kafka.makeTopic(2)
    await kafka.write(topic, numbered(3))
    const stop = new AbortController()
    const events = readSse(`${console.url}/topics/${topic}/records?limit=2`, { headers: BEARER, signal: stop.signal })
    const first = JSON.parse((await events.next()).value?.data ?? '')
    expect({ values: valuesOf(first.items), skipped: first.skipped }).toEqual({ values: ['v1', 'v2'], skipped: 0 })
    await console.post(`/topics/${topic}/records`, { value: 'live', partition: 1 })
    const { items, skipped } = JSON.parse((await events.next()).value?.data ?? '')
    expect({ values: valuesOf(items), skipped }).toEqual({ values: ['live'], skipped: 0 })
    await kafka.write(topic, numbered(1500))
    let [shown, left] = [0, 0]
    while (shown + left < 1500) {
      const news = JSON.parse((await events.next()).value?.data ?? '')
      expect(news.items.length).toBeLessThanOrEqual(200)
      shown += news.items.length
      left += news.skipped
    }
    expect(left).toBeGreaterThan(0)
    stop.abort()
  })

  it.each([
    ['GET', 'records?offset=0', 400, 'offset needs a partition'],
    ['GET', 'records?partition=x', 400, 'partition is "x": expected a whole number from 0'],
    ['GET', 'records?partition=7', 404, 'no partition 7'],
    ['GET', 'records?limit=501', 400, 'limit is "501"'],
    ['GET', 'records?from=1', 400, '"from" is unknown'],
    ['GET', 'partitions/0/records/x', 400, 'offset is "x": expected an offset'],
    ['GET', 'partitions/x/records/0', 400, 'partition is "x": expected a whole number'],
    ['GET', 'partitions/0/records/7', 404, 'has no record at offset 7'],
    ['POST', { key: 'k' }, 400, 'value is missing'],
    ['POST', { value: 1 }, 400, 'value is 1: expected null or a text'],
    ['POST', { value: '', headers: { a: 1 } }, 400, 'expected an object of at most 100 texts'],
    ['POST', { value: '', partition: 5 }, 404, 'no partition 5'],
    ['POST', '[', 400, 'the body'],
  ])('%s %j is %i', async (method, given, status, detail) => {
    const topic = await kafka.makeTopic()
    const path = `/topics/${topic}/${typeof given === 'string' && method === 'GET' ? given : 'records'}`
    const answer = method === 'GET' ? await console.get(path) : await console.post(path, given)
    expect(answer).toMatchObject({ status, body: { detail: expect.stringContaining(detail) } })
  })

  it('of a topic that is not there are 404, live too, and none is made', async () => {
    const path = `/topics/${randomUUID()}/records`
    expect(await console.get(path)).toMatchObject({ status: 404 })
    expect(await console.post(path, { value: 'x' })).toMatchObject({ status: 404 })
    const live = await fetch(`${console.url}${path}`, { headers: { ...BEARER, accept: 'text/event-stream' } })
    expect(live.status).toBe(404)
    expect(await console.get(path)).toMatchObject({ status: 404 })
  })
})
