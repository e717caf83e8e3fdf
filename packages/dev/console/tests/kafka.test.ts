import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { CompressionTypes, type Message } from '@taproom/kafkajs'
import { freePort, readSse, startKafka, type TestKafka, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GroupView, RecordView, TopicView } from '../src/api/kafka.ts'
import { BEARER } from './fixtures/console.ts'
import { kafkaClient, openKafkaConsole } from './fixtures/kafka.ts'

let broker: TestKafka
let console: Awaited<ReturnType<typeof openKafkaConsole>>
let kafka: ReturnType<typeof kafkaClient>

beforeAll(async () => {
  broker = await startKafka()
  console = await openKafkaConsole({ bootstrapServers: broker.bootstrapServers })
  kafka = kafkaClient(broker.bootstrapServers)
})
afterAll(async () => {
  await console[Symbol.asyncDispose]()
  await broker[Symbol.asyncDispose]()
})

/** A time of records: Kafka removes old ones. */
const BEGIN = Date.now() - 60_000
const numbered = (count: number, more: Partial<Message> = {}): Message[] =>
  Array.from({ length: count }, (_, index) => ({ key: `k${index}`, value: `v${index}`, partition: 0, ...more }))
const valuesOf = (items: readonly RecordView[]) => items.map(({ value }) => value?.text)

async function records(topic: string, query = '') {
  const { status, body } = await console.get(`/topics/${topic}/records${query}`)
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.items as RecordView[]
}

async function group(groupId: string): Promise<GroupView | undefined> {
  const { body } = await console.get('/groups')
  return body.items.find((each: GroupView) => each.groupId === groupId)
}

describe('topics', () => {
  it('have their partitions with first and next offsets', async () => {
    const topic = await kafka.makeTopic(2)
    await kafka.write(topic, [...numbered(3), { value: 'other', partition: 1 }])
    const { body } = await console.get(`/topics?name=${topic}`)
    expect(body.total).toBe(1)
    const [found]: TopicView[] = body.items
    expect(found).toMatchObject({ name: topic, isInternal: false })
    expect(found?.partitions).toMatchObject([
      { partition: 0, low: '0', high: '3', replicas: [found?.partitions[0]?.leader] },
      { partition: 1, low: '0', high: '1' },
    ])
  })

  it('that Kafka keeps for itself are told apart, and come last', async () => {
    const topic = await kafka.makeTopic()
    await using _member = await kafka.reading(`g-${topic}`, topic, 0)
    const items: TopicView[] = (await console.get('/topics')).body.items
    expect(items.at(-1)?.name).toMatch(/^__/)
    expect(items.filter(({ isInternal }) => isInternal).every(({ name }) => name.startsWith('__'))).toBe(true)
    expect(items.find(({ name }) => name === topic)?.isInternal).toBe(false)
  })
})

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
    ['GET', 'records?from=1', 400, '"from" is not known here'],
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

describe('groups', () => {
  it('have members with their partitions, and lag', async () => {
    const topic = await kafka.makeTopic()
    const groupId = `g-${topic}`
    await kafka.write(topic, numbered(3))
    {
      await using _member = await kafka.reading(groupId, topic, 3)
      const active = await waitFor(
        'the group',
        async () => (await group(groupId))?.members.length === 1 && group(groupId),
      )
      expect(active).toMatchObject({
        state: 'Stable',
        members: [{ clientId: 'test', assigned: [{ topic, partitions: [0] }] }],
        offsets: [{ topic, partition: 0, committed: '3', high: '3', lag: 0 }],
      })
    }
    await kafka.write(topic, numbered(2))
    expect(await group(groupId)).toMatchObject({ state: 'Empty', members: [], offsets: [{ committed: '3', lag: 2 }] })
    const lags = await waitFor('the lag', async () => {
      const found = (await console.kafka.lagOf()).filter((each) => each.groupId === groupId)
      return found[0]?.lag === 2 && found
    })
    expect(lags).toEqual([{ groupId, topic, lag: 2 }])
  })

  it('decisions 3.117: get new offsets when nobody is in them, and are 409 while somebody is', async () => {
    const topic = await kafka.makeTopic()
    const groupId = `g-${topic}`
    const path = `/groups/${groupId}/offsets`
    const timed = [1000, 2000, 3000].map((ms) => ({ value: `at ${ms}`, partition: 0, timestamp: String(BEGIN + ms) }))
    await kafka.write(topic, timed)
    {
      await using _member = await kafka.reading(groupId, topic, 3)
      const refused = await console.post(path, { topic, to: 'earliest' })
      expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringMatching(/Stable.*\(test\).*stop/) } })
    }
    const committed = async (to: unknown) => {
      const { status, body } = await console.post(path, { topic, to })
      return { status, committed: body.offsets?.[0]?.committed }
    }
    expect(await committed('earliest')).toEqual({ status: 200, committed: '0' })
    expect(await committed(BEGIN + 2000)).toEqual({ status: 200, committed: '1' })
    expect(await committed('latest')).toEqual({ status: 200, committed: '3' })
    expect(await group(groupId)).toMatchObject({ state: 'Empty', offsets: [{ committed: '3' }] })
  })

  it('that are not there, and wrong targets, are named', async () => {
    const topic = await kafka.makeTopic()
    const path = `/groups/${randomUUID()}/offsets`
    expect(await console.post(path, { topic, to: 'earliest' })).toMatchObject({ status: 404 })
    const wrong = await console.post(path, { topic, to: 'tomorrow' })
    expect(wrong).toMatchObject({ status: 400, body: { detail: expect.stringContaining('to is "tomorrow"') } })
    expect(await console.post(path, { topic: randomUUID(), to: 'latest' })).toMatchObject({ status: 404 })
  })
})

describe('connections', () => {
  it('decisions 3.117: are there only while somebody asks', async () => {
    await using other = await openKafkaConsole({ bootstrapServers: broker.bootstrapServers }, 2000)
    expect(other.kafka.link.isOpen).toBe(false)
    expect(await other.get('/groups')).toMatchObject({ status: 200 })
    expect(other.kafka.link.isOpen).toBe(true)
    await waitFor('the end of the connections', () => !other.kafka.link.isOpen)
    expect(await other.get('/groups')).toMatchObject({ status: 200 })
  })

  it('decisions 3.117: to a Kafka that takes connections and does not answer end by themselves', async () => {
    const open = new Set<Socket>()
    const silent = createServer((socket) => open.add(socket.on('error', () => undefined).resume()))
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    await using other = await openKafkaConsole({
      bootstrapServers: `127.0.0.1:${(silent.address() as AddressInfo).port}`,
    })
    expect(await other.get('/topics')).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining('the answer of Kafka took longer than 4500 ms') },
    })
    await waitFor('the end of the connections', () => [...open].every(({ destroyed }) => destroyed))
    silent.close()
  })

  it('to a Kafka that is away are 503, with a reason', async () => {
    const port = await freePort()
    await using other = await openKafkaConsole({ bootstrapServers: `127.0.0.1:${port}` })
    for (const path of ['/topics', '/groups', '/topics/beer/records']) {
      expect(await other.get(path)).toMatchObject({
        status: 503,
        body: { detail: expect.stringContaining(`Kafka at 127.0.0.1:${port} does not answer`) },
      })
    }
    expect(await other.kafka.lagOf()).toEqual([])
  })
})
