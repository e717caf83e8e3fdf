import { startEmbeddedKafka } from '@taproom/embedded-kafka'
import { waitFor, withProgress } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { createKafka, openIncoming, openOutgoing, openTransform } from '../src/index.ts'
import { silentLog } from './silent-log.ts'

describe.concurrent('the question for the id of a topic', () => {
  it('is repeated when Kafka answers too late, and the consumer stays', async () => {
    await using broker = await startEmbeddedKafka({ topics: ['beer'] })
    const kafka = createKafka({ clientId: 'test', bootstrapServers: broker.bootstrapServers, log: silentLog })
    await using outgoing = openOutgoing(kafka, { channel: 'beers', topic: 'beer', timeoutMs: 90_000 })
    await outgoing.send({ value: 'one' })
    const seen: string[] = []
    await using incoming = openIncoming(kafka, {
      ...{ channel: 'beers', topic: 'beer', groupId: 'drinkers', from: 'earliest' },
      onMessage: (message) => void seen.push(String(message.value)),
    })
    await waitFor('the first message', () => seen.length === 1)
    const late = broker.control.addRule({ kind: 'delay', api: 'Metadata', delayMs: 4000, times: 1 })
    await outgoing.send({ value: 'two' })
    await waitFor('the second message', () => seen.length === 2)
    expect(late.hits).toBe(1)
    expect(incoming.counters).toMatchObject({ received: 2, acknowledged: 2, restarts: 0 })
  })

  it('decisions 3.59: keeps no transform in its group that is closed meanwhile', async () => {
    await using broker = await startEmbeddedKafka({ topics: ['beer', 'price'] })
    const { bootstrapServers } = broker
    const kafka = createKafka({ clientId: 'test', bootstrapServers, log: silentLog, sessionTimeoutMs: 300_000 })
    await using outgoing = openOutgoing(kafka, { channel: 'beers', topic: 'beer', timeoutMs: 90_000 })
    await outgoing.send({ value: 'one' })
    const open = () =>
      openTransform(kafka, {
        ...{
          channel: 'pricing',
          inputTopic: 'beer',
          outputTopic: 'price',
          groupId: 'pricing',
          transactionalId: 'pricing',
        },
        transform: ({ value }) => [{ value }],
      })
    const first = open()
    await waitFor('the first message', () => first.counters.produced === 1)
    {
      using late = broker.control.addRule({ kind: 'delay', api: 'Metadata', delayMs: 2500, times: 2 })
      await outgoing.send({ value: 'two' })
      await waitFor('the question', () => late.hits > 0)
      await first[Symbol.asyncDispose]()
    }
    await using second = open()
    await withProgress(second.assigned, 'the assignment')
    await waitFor('the second message', () => second.counters.produced === 1)
    expect(first.counters.produced).toBe(1)
  })

  it('is refused without permission, and readiness says so', async () => {
    await using broker = await startEmbeddedKafka({ topics: ['beer'] })
    const kafka = createKafka({ clientId: 'test', bootstrapServers: broker.bootstrapServers, log: silentLog })
    broker.control.addRule({ kind: 'error', api: 'Metadata', error: 'TOPIC_AUTHORIZATION_FAILED', topic: 'beer' })
    await using incoming = openIncoming(kafka, { channel: 'beers', topic: 'beer', onMessage: () => undefined })
    const reason = async () => (await incoming.check.check(AbortSignal.timeout(30_000))).data?.['reason']
    await waitFor('the reason', async () => (await reason()) !== undefined)
    expect(await reason()).toBe('Kafka does not allow this: TOPIC_AUTHORIZATION_FAILED')
  })
})
