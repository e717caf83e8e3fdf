import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { consumeUntil, waitFor } from './consume.ts'
import { controlledBroker, TOPIC } from './controlled-broker.ts'
import { kcat } from './kcat.ts'

const stage = controlledBroker()

/** `connected`, or the code of the error. */
function connecting(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve('connected'))
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
    socket.once('close', () => resolve('closed'))
    socket.once('connect', () => socket.destroy())
  })
}

describe('errors of requests', () => {
  it('reach the next requests of an API, which kafkajs tries again', async () => {
    const rule = stage().control.addRule({ kind: 'error', api: 'Produce', error: 'NOT_LEADER_OR_FOLLOWER', times: 2 })
    await stage().send('once')
    expect(rule.hits).toBe(2)
    expect(await stage().endOffsets()).toEqual(['1', '0'])
  })

  it('decisions 3.65: are for one partition, and the others are carried out', async () => {
    const rule = stage().control.addRule({
      ...{ kind: 'error', api: 'Produce', error: 'REQUEST_TIMED_OUT', topic: TOPIC, partition: 1, times: 1000 },
    })
    const producer = await stage().producer()
    const messages = [0, 1].map((partition) => ({ value: 'both', partition }))
    const sent = producer.send({ topic: TOPIC, messages })
    await waitFor(() => rule.hits >= 3)
    expect(await stage().endOffsets()).toEqual(['1', '0'])
    rule.delete()
    await sent
    expect(await stage().endOffsets()).toEqual(['1', '1'])
  })

  it('are for one client', async () => {
    const rule = stage().control.addRule({
      ...{ kind: 'error', api: 'Produce', error: 'REQUEST_TIMED_OUT', clientId: 'other', times: 1000 },
    })
    await stage().send('not meant')
    expect(rule.hits).toBe(0)
    const producer = await stage().producer(stage().client({ clientId: 'other' }))
    const sent = producer.send({ topic: TOPIC, messages: [{ value: 'meant', partition: 0 }] })
    await waitFor(() => rule.hits >= 1)
    expect(await stage().endOffsets()).toEqual(['1', '0'])
    rule.delete()
    await sent
  })

  it.each([
    ['FindCoordinator', 'COORDINATOR_NOT_AVAILABLE'],
    ['JoinGroup', 'COORDINATOR_LOAD_IN_PROGRESS'],
    ['SyncGroup', 'REBALANCE_IN_PROGRESS'],
    ['OffsetFetch', 'NOT_COORDINATOR'],
    ['Fetch', 'NOT_LEADER_OR_FOLLOWER'],
    ['ListOffsets', 'LEADER_NOT_AVAILABLE'],
    ['Metadata', 'LEADER_NOT_AVAILABLE'],
  ] as const)('%s is refused with %s, and the consumer gets there all the same', async (api, error) => {
    await stage().send('first')
    const rule = stage().control.addRule({ kind: 'error', api, error, times: 2 })
    const messages = await consumeUntil(stage().consumer(), TOPIC, 1)
    expect(messages.map(({ message }) => String(message.value))).toEqual(['first'])
    expect(rule.hits).toBe(2)
  })

  it.each([
    ['Heartbeat', 'REBALANCE_IN_PROGRESS'],
    ['OffsetCommit', 'ILLEGAL_GENERATION'],
  ] as const)('%s is refused with %s, and the consumer joins again', async (api, error) => {
    const consumer = stage().consumer({ heartbeatInterval: 50 })
    let joins = 0
    consumer.on(consumer.events.GROUP_JOIN, () => {
      joins += 1
    })
    await stage().send('first')
    await consumeUntil(consumer, TOPIC, 1)
    await stage().control.waitForCommitted({ groupId: 'g', topic: TOPIC, offset: 1, timeoutMs: 90_000 })
    stage().control.addRule({ kind: 'error', api, error })
    await stage().send('second')
    await waitFor(() => joins >= 2)
    await stage().control.waitForCommitted({ groupId: 'g', topic: TOPIC, offset: 2, timeoutMs: 90_000 })
  })

  it('fence a transactional producer', async () => {
    const producer = await stage().connect(
      stage().client().producer({ transactionalId: 'tx', maxInFlightRequests: 1, idempotent: true }),
    )
    const transaction = await producer.transaction()
    await transaction.send({ topic: TOPIC, messages: [{ value: 'never', partition: 0 }] })
    stage().control.addRule({ kind: 'error', api: 'EndTxn', error: 'INVALID_PRODUCER_EPOCH' })
    await expect(transaction.commit()).rejects.toMatchObject({ type: 'INVALID_PRODUCER_EPOCH' })
  })
})

describe('connections that are dropped', () => {
  it('are those of one client id, or all, and clients come back', async () => {
    const producer = await stage().producer()
    await producer.send({ topic: TOPIC, messages: [{ value: 'before', partition: 0 }] })
    const ids = () => stage().control.clients.map(({ clientId }) => clientId)
    expect(ids()).toContain('test')
    expect(stage().control.dropConnections({ clientId: 'nobody' })).toBe(0)
    expect(stage().control.dropConnections({ clientId: 'test' })).toBeGreaterThanOrEqual(1)
    await waitFor(() => !ids().includes('test'))
    await producer.send({ topic: TOPIC, messages: [{ value: 'after', partition: 0 }] })
    expect(stage().control.dropConnections()).toBeGreaterThanOrEqual(1)
    await producer.send({ topic: TOPIC, messages: [{ value: 'again', partition: 0 }] })
    expect(await stage().endOffsets()).toEqual(['3', '0'])
  })
})

describe('a broker that is away', () => {
  it('decisions 3.117: cuts all connections and refuses new ones, until it is back', async () => {
    const producer = await stage().producer()
    await producer.send({ topic: TOPIC, messages: [{ value: 'before', partition: 0 }] })
    const away = stage().control.addRule({ kind: 'away' })
    expect(away.hits).toBeGreaterThanOrEqual(1)
    await waitFor(() => stage().control.clients.length === 0)
    await waitFor(async () => (await connecting(stage().broker.port)) === 'ECONNREFUSED')
    const sent = producer.send({ topic: TOPIC, messages: [{ value: 'meanwhile', partition: 0 }] })
    expect(await connecting(stage().broker.port)).toBe('ECONNREFUSED')
    away.delete()
    await sent
    expect(await stage().endOffsets()).toEqual(['2', '0'])
  })

  it('is back when the rule has expired', async () => {
    stage().control.addRule({ kind: 'away', expiresInMs: 300 })
    await stage().send('late')
    expect(stage().control.rules).toEqual([])
  })

  it('is away as long as one rule says so, also when it is started meanwhile, and can be closed', async () => {
    const [first, second] = [1, 2].map(() => stage().control.addRule({ kind: 'away' }))
    first?.delete()
    const [broker] = stage().broker.brokers
    await broker.kill()
    await broker.start()
    await waitFor(async () => (await connecting(broker.port)) === 'ECONNREFUSED')
    second?.delete()
    await waitFor(async () => (await connecting(broker.port)) === 'connected')
    stage().control.addRule({ kind: 'away' })
  })
})

describe('answers that are late', () => {
  it('run into the time limit of the client, until the rule is deleted', async () => {
    const rule = stage().control.addRule({ kind: 'delay', api: 'ListOffsets', delayMs: 60_000 })
    const impatient = stage().client({ requestTimeout: 5000, enforceRequestTimeout: true, retry: { retries: 0 } })
    const admin = await stage().connect(impatient.admin())
    await expect(admin.fetchTopicOffsets(TOPIC)).rejects.toThrow(/timed out/)
    expect(rule.hits).toBeGreaterThanOrEqual(1)
    rule.delete()
    expect(await stage().endOffsets()).toEqual(['0', '0'])
  })

  it('come when a paused partition is resumed', async () => {
    const pause = stage().control.addRule({ kind: 'pause', topic: TOPIC, partition: 0 })
    let isSent = false
    const sent = stage()
      .send('late')
      .then(() => {
        isSent = true
      })
    await stage().send('other partition', 1)
    await waitFor(() => pause.hits >= 1)
    expect(isSent).toBe(false)
    expect(await stage().endOffsets()).toEqual(['0', '1'])
    pause.delete()
    await sent
    expect(await stage().endOffsets()).toEqual(['1', '1'])
  })

  it('hold back what consumers read', async () => {
    await stage().send('held')
    const pause = stage().control.addRule({ kind: 'pause', topic: TOPIC })
    const read: string[] = []
    const consumer = stage().consumer()
    await consumer.connect()
    await consumer.subscribe({ topic: TOPIC, fromBeginning: true })
    await consumer.run({ eachMessage: async ({ message }) => void read.push(String(message.value)) })
    await waitFor(() => pause.hits >= 1)
    expect(read).toEqual([])
    pause.delete()
    await waitFor(() => read.length >= 1)
  })

  it('come when the rule expires', async () => {
    stage().control.addRule({ kind: 'pause', topic: TOPIC, expiresInMs: 300 })
    await stage().send('late')
    expect(stage().control.rules).toEqual([])
  })
})

describe('a partition without a leader', () => {
  it('is said to have none, takes nothing, and gives everything when it is healed', async () => {
    const outage = stage().control.addRule({ kind: 'leaderless', topic: TOPIC, partition: 0 })
    const admin = await stage().connect(
      stage()
        .client({ retry: { retries: 0 } })
        .admin(),
    )
    await expect(admin.fetchTopicMetadata({ topics: [TOPIC] })).rejects.toMatchObject({
      cause: { type: 'LEADER_NOT_AVAILABLE' },
    })
    const sent = stage().send('healed')
    const before = outage.hits
    await waitFor(() => outage.hits >= before + 2)
    outage.delete()
    await sent
    expect(await stage().endOffsets()).toEqual(['1', '0'])
  })

  it('is produced to by librdkafka when it is healed', { tags: 'kcat' }, async () => {
    const outage = stage().control.addRule({ kind: 'leaderless', topic: TOPIC })
    const produced = kcat(['-b', stage().broker.bootstrapServers, '-t', TOPIC, '-p', '0', '-P'], 'patient')
    await waitFor(() => outage.hits >= 2)
    outage.delete()
    await produced
    expect(await stage().endOffsets()).toEqual(['1', '0'])
  })
})
