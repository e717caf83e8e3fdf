import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { Kafka, logLevel } from 'kafkajs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EmbeddedKafka, startEmbeddedKafka } from '../src/index.ts'
import { consumeUntil, waitFor } from './consume.ts'
import { controlRequest } from './control-request.ts'

const TOPIC = 'beers'

let cluster: EmbeddedKafka

beforeEach(async () => {
  const topics = [{ name: TOPIC, partitions: 2 }]
  cluster = await startEmbeddedKafka({ brokers: 3, racks: ['a', 'b', 'c'], topics, controlPort: 0 })
})
afterEach(() => cluster.close())

const ask = (request: string, body?: unknown) => controlRequest(cluster.controlPort, request, body)

const client = (brokers = cluster.bootstrapServers.split(',')) =>
  new Kafka({ clientId: 'test', brokers, logLevel: logLevel.NOTHING, retry: { initialRetryTime: 20, retries: 100 } })

async function send(...partitions: readonly number[]): Promise<void> {
  const producer = client().producer()
  await producer.connect()
  await producer.send({ topic: TOPIC, messages: partitions.map((partition) => ({ value: 'beer', partition })) })
  await producer.disconnect()
}

async function leaderOf(partition: number): Promise<number | undefined> {
  const admin = client().admin()
  await admin.connect()
  const { topics } = await admin.fetchTopicMetadata({ topics: [TOPIC] }).finally(() => admin.disconnect())
  return topics[0]?.partitions.find(({ partitionId }) => partitionId === partition)?.leader
}

function isReached(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

describe('the brokers of a cluster by HTTP', () => {
  it('are listed, stopped, killed and started', async () => {
    const [first] = cluster.brokers
    const shown = { nodeId: 1, rack: 'a', bootstrapServers: first.bootstrapServers, isRunning: true }
    const { body } = await ask('GET /brokers')
    expect(body.brokers).toHaveLength(3)
    expect(body.brokers[0]).toEqual(shown)
    for (const change of ['stop', 'kill']) {
      const answer = await ask(`POST /brokers/1/${change}`)
      expect(answer).toMatchObject({ status: 200, body: { ...shown, isRunning: false } })
      expect(await isReached(first.port)).toBe(false)
      expect(await ask('GET /brokers/1')).toMatchObject({ body: { isRunning: false } })
      expect(await ask('POST /brokers/1/start')).toMatchObject({ status: 200, body: shown })
      expect(await isReached(first.port)).toBe(true)
    }
    expect(await ask('POST /brokers/4/stop')).toMatchObject({ status: 404 })
    expect(await ask('GET /brokers/x')).toMatchObject({ status: 404 })
    expect(await ask('POST /brokers/1/stop', { now: true })).toMatchObject({ status: 400, body: { field: 'now' } })
  })

  it('lead the partitions that a request names, while they are in sync', async () => {
    const before = (await leaderOf(0)) ?? 0
    const other = (before % 3) + 1
    const move = { topic: TOPIC, partition: 0, nodeId: other }
    expect(await ask('POST /leaders', move)).toMatchObject({ status: 200, body: move })
    expect(await leaderOf(0)).toBe(other)
    await send(0)
    await ask(`POST /brokers/${before}/kill`)
    const refused = await ask('POST /leaders', { topic: TOPIC, nodeId: before })
    expect(refused).toMatchObject({
      status: 400,
      body: { field: 'nodeId', detail: expect.stringContaining('in sync') },
    })
  })

  it.each([
    [{ nodeId: 1 }, 'topic'],
    [{ topic: 'none', nodeId: 1 }, 'topic'],
    [{ topic: TOPIC, partition: 2, nodeId: 1 }, 'partition'],
    [{ topic: TOPIC, nodeId: 4 }, 'nodeId'],
    [{ topic: TOPIC, nodeId: 1, epoch: 3 }, 'epoch'],
  ])('refuse to lead %j', async (move, field) => {
    expect(await ask('POST /leaders', move)).toMatchObject({ status: 400, body: { field } })
  })

  it('can be killed after they were away while another process has their port', async () => {
    const { port } = cluster.brokers[0]
    const { body } = await ask('POST /rules', { kind: 'away', nodeId: 1 })
    await waitFor(async () => !(await isReached(port)))
    const other = createServer().listen(port, '127.0.0.1')
    await once(other, 'listening')
    await ask(`DELETE /rules/${body.id}`)
    expect((await ask('POST /brokers/1/kill')).body).toMatchObject({ isRunning: false })
    expect(await ask('POST /brokers/1/start')).toMatchObject({ status: 409 })
    other.close()
    await once(other, 'close')
    expect((await ask('POST /brokers/1/start')).body).toMatchObject({ isRunning: true })
  })

  it('have rules of their own: one is away, one answers with errors, one loses its connections', async () => {
    const [first, second] = cluster.brokers
    const { body: away } = await ask('POST /rules', { kind: 'away', nodeId: 1 })
    await waitFor(async () => !(await isReached(first.port)))
    expect(await isReached(second?.port ?? 0)).toBe(true)
    // A broker that cannot be reached still leads.
    expect(first.isRunning).toBe(true)
    expect(await ask(`DELETE /rules/${away.id}`)).toMatchObject({ status: 204 })
    await waitFor(() => isReached(first.port))
    const leader = await leaderOf(0)
    const rule = { kind: 'error', api: 'Produce', error: 'REQUEST_TIMED_OUT', nodeId: leader, times: 1 }
    const { body } = await ask('POST /rules', rule)
    await send(0, 1)
    expect((await ask(`GET /rules/${body.id}`)).body.hits).toBe(1)
    const producer = client().producer()
    await producer.connect()
    await producer.send({ topic: TOPIC, messages: [0, 1].map((partition) => ({ value: 'beer', partition })) })
    expect((await ask('DELETE /clients?nodeId=9')).body).toMatchObject({ field: 'nodeId' })
    const dropped = await ask(`DELETE /clients?clientId=test&nodeId=${leader}`)
    expect(dropped.body.dropped).toBeGreaterThanOrEqual(1)
    await producer.disconnect()
  })
})

describe('waits by HTTP', () => {
  it('end when all partitions are committed', async () => {
    await send(0, 0, 1)
    const consumer = client().consumer({ groupId: 'g', maxWaitTimeInMs: 100 })
    const path = `GET /groups/g/committed?topic=${TOPIC}`
    expect((await ask(`${path}&timeoutMs=0`)).body).toEqual({
      ...{ groupId: 'g', topic: TOPIC, offset: null, isReached: false },
    })
    const waiting = Promise.all([ask(`${path}&timeoutMs=90000`), ask(`${path}&offset=3&timeoutMs=90000`)])
    await consumeUntil(consumer, TOPIC, 3)
    for (const { body } of await waiting) {
      expect(body).toEqual({ groupId: 'g', topic: TOPIC, offset: 3, isReached: true })
    }
    expect((await ask(`${path}&partition=1`)).body).toMatchObject({ partition: 1, offset: 1, isReached: true })
    await consumer.disconnect()
    await send(1)
    for (const more of ['', '&offset=4']) {
      expect((await ask(`${path}${more}&timeoutMs=0`)).body).toMatchObject({ offset: 3, isReached: false })
    }
  })

  it('end when a group is stable with so many members', async () => {
    const path = 'GET /groups/g/stable'
    expect((await ask(`${path}?members=0`)).body).toMatchObject({ groupId: 'g', state: 'Dead', isReached: true })
    const consumers = [1, 2].map(() => client().consumer({ groupId: 'g', maxWaitTimeInMs: 100, heartbeatInterval: 50 }))
    const waiting = ask(`${path}?members=2&timeoutMs=90000`)
    for (const consumer of consumers) {
      await consumer.connect()
      await consumer.subscribe({ topic: TOPIC })
      await consumer.run({ eachMessage: async () => {} })
    }
    expect((await waiting).body).toMatchObject({ state: 'Stable', members: 2, isReached: true })
    expect((await ask(`${path}?members=1&timeoutMs=0`)).body).toMatchObject({ members: 2, isReached: false })
    await Promise.all(consumers.map((consumer) => consumer.disconnect()))
    expect((await ask(`${path}?members=0&timeoutMs=90000`)).body).toMatchObject({ members: 0, isReached: true })
  })

  it.each([
    ['/groups/g/stable', 'members'],
    ['/groups/g/stable?members=two', 'members'],
    ['/groups/g/stable?members=-1', 'members'],
    ['/groups/g/stable?members=1&state=Stable', 'state'],
    [`/groups/g/committed?topic=${TOPIC}&offset=1e3x`, 'offset'],
  ])('refuse %s', async (path, field) => {
    expect(await ask(`GET ${path}`)).toMatchObject({ status: 400, body: { field } })
  })
})
