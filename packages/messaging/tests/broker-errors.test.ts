import { type EmbeddedKafka, type SetRule, startEmbeddedKafka } from '@taproom/embedded-kafka'
import { waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { createKafka, openIncoming, openOutgoing, openTransform } from '../src/index.ts'
import { silentLog } from './silent-log.ts'

function clientOf({ bootstrapServers }: EmbeddedKafka) {
  return createKafka({ clientId: 'test', bootstrapServers, log: silentLog })
}

/** How often a message that waits is transformed although the member has to join again. */
async function transformedTooLate(): Promise<number> {
  await using broker = await startEmbeddedKafka({ topics: ['beer', 'priced-beer'] })
  const { control, bootstrapServers } = broker
  const kafka = createKafka({ clientId: 'test', bootstrapServers, log: silentLog, sessionTimeoutMs: 6000 })
  await using outgoing = openOutgoing(kafka, { channel: 'beers', topic: 'beer', timeoutMs: 90_000 })
  await outgoing.send({ value: '1' })
  let calls = 0
  let tooLate = 0
  let rebalance: SetRule | undefined
  let join: SetRule | undefined
  await using _transform = openTransform(kafka, {
    ...{ channel: 'pricing', inputTopic: 'beer', outputTopic: 'priced-beer', groupId: 'pricing' },
    ...{ transactionalId: 'pricing', from: 'earliest' },
    transform() {
      calls += 1
      if (rebalance !== undefined && rebalance.hits > 0) tooLate += 1
      // Heartbeats come each second, also during a wait: the next one has the member join again.
      if (calls === 4) {
        join = control.addRule({ kind: 'black-hole', api: 'JoinGroup' })
        rebalance = control.addRule({ kind: 'error', api: 'Heartbeat', error: 'REBALANCE_IN_PROGRESS' })
      }
      throw Object.assign(new Error('away'), { isTransient: true })
    },
  })
  await waitFor('the next join', () => (join?.hits ?? 0) > 0)
  join?.delete()
  return tooLate
}

describe.concurrent('a broker that refuses requests for a while', () => {
  it.each([
    ['Produce', 'NOT_LEADER_OR_FOLLOWER'],
    ['Produce', 'NOT_ENOUGH_REPLICAS'],
    ['Metadata', 'LEADER_NOT_AVAILABLE'],
    ['InitProducerId', 'COORDINATOR_LOAD_IN_PROGRESS'],
  ] as const)('%s with %s: a message is written once', async (api, error) => {
    await using broker = await startEmbeddedKafka({ topics: ['beer'] })
    const rule = broker.control.addRule({ kind: 'error', api, error, times: 2 })
    await using outgoing = openOutgoing(clientOf(broker), { channel: 'beers', topic: 'beer', timeoutMs: 90_000 })
    expect(await outgoing.send({ value: 'one' })).toEqual({ accepted: true })
    rule.delete()
    expect(await outgoing.send({ value: 'two' })).toEqual({ accepted: true })
    const seen: string[] = []
    await using _incoming = openIncoming(clientOf(broker), {
      channel: 'beers',
      topic: 'beer',
      from: 'earliest',
      onMessage: (message) => void seen.push(String(message.value)),
    })
    await waitFor('both', () => seen.includes('two'))
    expect(seen).toEqual(['one', 'two'])
  })

  it.each([
    ['AddPartitionsToTxn', 'CONCURRENT_TRANSACTIONS'],
    ['AddOffsetsToTxn', 'COORDINATOR_LOAD_IN_PROGRESS'],
    ['TxnOffsetCommit', 'COORDINATOR_NOT_AVAILABLE'],
    ['EndTxn', 'NOT_COORDINATOR'],
    ['Heartbeat', 'REBALANCE_IN_PROGRESS'],
    ['Fetch', 'NOT_LEADER_OR_FOLLOWER'],
  ] as const)('%s with %s: every message is transformed exactly once', async (api, error) => {
    await using broker = await startEmbeddedKafka({ topics: ['beer', 'priced-beer'] })
    const kafka = clientOf(broker)
    await using outgoing = openOutgoing(kafka, { channel: 'beers', topic: 'beer', timeoutMs: 90_000 })
    await outgoing.send({ value: '1' })
    await using _transform = openTransform(kafka, {
      channel: 'pricing',
      inputTopic: 'beer',
      outputTopic: 'priced-beer',
      groupId: 'pricing',
      transactionalId: 'pricing',
      from: 'earliest',
      transform: ({ key, value }) => [{ key, value: `${value} priced` }],
    })
    await broker.control.waitForCommitted({ groupId: 'pricing', topic: 'beer', offset: 1, timeoutMs: 90_000 })
    const rule = broker.control.addRule({ kind: 'error', api, error, times: 2 })
    await outgoing.send({ value: '2' })
    await broker.control.waitForCommitted({ groupId: 'pricing', topic: 'beer', offset: 2, timeoutMs: 90_000 })
    await waitFor('the refusals', () => rule.hits >= 2)
    const seen: string[] = []
    await using _incoming = openIncoming(kafka, {
      channel: 'priced-beer',
      from: 'earliest',
      onMessage: (message) => void seen.push(String(message.value)),
    })
    await outgoing.send({ value: '3' })
    await waitFor('the last', () => seen.includes('3 priced'))
    expect(seen).toEqual(['1 priced', '2 priced', '3 priced'])
  })

  it('decisions 3.160: a message that waits is not transformed while the member has to join again', async () => {
    const found = [await transformedTooLate()]
    // A wait may end in the moment between Kafka's answer to the heartbeat and its arrival: that is one call, which may go on.
    while (found.at(-1) !== 0 && found.length < 5) found.push(await transformedTooLate())
    expect(found).toContain(0)
  })

  it('decisions 3.59: LeaveGroup with NOT_COORDINATOR: the member leaves all the same', async () => {
    await using broker = await startEmbeddedKafka({ topics: ['beer'] })
    const kafka = clientOf(broker)
    const rule = broker.control.addRule({ kind: 'error', api: 'LeaveGroup', error: 'NOT_COORDINATOR', times: 1 })
    {
      await using incoming = openIncoming(kafka, { channel: 'beer', groupId: 'drinkers', onMessage: () => undefined })
      await incoming.assigned
    }
    const admin = kafka.kafkajs.admin()
    await admin.connect()
    const { groups } = await admin.describeGroups(['drinkers'])
    await admin.disconnect()
    expect(groups.map(({ members }) => members)).toEqual([[]])
    expect(rule.hits).toBe(1)
  })

  it('decisions 3.59: a member leaves without the answer to its last fetch', async () => {
    await using broker = await startEmbeddedKafka({ topics: ['beer'] })
    const kafka = clientOf(broker)
    const held = broker.control.addRule({ kind: 'delay', api: 'Fetch', delayMs: 60_000 })
    // A Kafka that takes longer than the member waits for it, because the machine is busy, has another group to show it with.
    await waitFor('a member that leaves by itself', async () => {
      let sessions = 0
      const openSession = () => {
        sessions += 1
        return kafka.openSession()
      }
      const fetches = held.hits
      const groupId = `drinkers-${fetches}`
      const incoming = openIncoming({ ...kafka, openSession }, { channel: 'beer', groupId, onMessage: () => undefined })
      await waitFor('a fetch', () => held.hits > fetches)
      const before = sessions
      await incoming[Symbol.asyncDispose]()
      // Another one would remove a member that could not leave.
      return sessions === before
    })
  })
})
