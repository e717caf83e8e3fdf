import { describe, expect, it } from 'vitest'
import { ChannelClosedError, ChannelNotReadyError } from './index.ts'
import { createInMemoryConnector } from './testing.ts'

const signal = AbortSignal.timeout(1000)

describe('inMemoryConnector', () => {
  it('carries messages from an outgoing through a transform to an incoming channel', async () => {
    const connector = createInMemoryConnector({ now: () => 42 })
    const seen: string[] = []
    await using beers = connector.openOutgoing({ channel: 'beers', topic: 'beer' })
    await using pricing = connector.openTransform({
      channel: 'pricing',
      inputTopic: 'beer',
      outputTopic: 'priced-beer',
      groupId: 'pricing',
      transactionalId: 'pricing',
      transform: ({ key, value }) => (value === null ? [] : [{ key, value: `${value} 12.50` }]),
    })
    await using priced = connector.openIncoming({
      channel: 'priced-beer',
      onMessage: (message) => void seen.push(`${message.key}=${message.value}`),
    })
    expect(await beers.send({ key: 'a', value: 'Duvel' })).toEqual({ accepted: true })
    await beers.send({ key: 'b', value: null })
    await connector.idle()
    expect(seen).toEqual(['a=Duvel 12.50'])
    expect(beers.counters).toEqual({ sent: 2, dropped: 0, failed: 0 })
    expect(pricing.counters).toMatchObject({ consumed: 2, produced: 1, skipped: 1 })
    expect(priced.counters).toMatchObject({ received: 1, acknowledged: 1 })
    expect(connector.messages('beer')[1]).toMatchObject({ offset: '1', value: null, timestamp: 42 })
  })

  it('decisions 1.50: drops and counts while Kafka is away, and its checks are DOWN', async () => {
    const connector = createInMemoryConnector()
    await using dropping = connector.openOutgoing({ channel: 'beers', overflow: 'drop' })
    await using failing = connector.openOutgoing({ channel: 'events', overflow: 'fail' })
    connector.setAvailable(false)
    expect(await dropping.send({ value: 'x' })).toEqual({ accepted: false })
    await expect(failing.send({ value: 'x' })).rejects.toThrow(ChannelNotReadyError)
    expect(await dropping.check.check(signal)).toEqual({ status: 'DOWN' })
    connector.setAvailable(true)
    expect(await dropping.send({ value: 'y' })).toEqual({ accepted: true })
    expect(dropping.counters).toEqual({ sent: 1, dropped: 1, failed: 0 })
  })

  it('reads from latest, or from earliest when asked to', async () => {
    const connector = createInMemoryConnector()
    connector.publish('beers', { value: 'old' })
    const seen: string[] = []
    for (const from of ['latest', 'earliest'] as const) {
      connector.openIncoming({
        channel: 'beers',
        from,
        onMessage: (message) => void seen.push(`${from} ${message.value}`),
      })
    }
    connector.publish('beers', { value: 'new' })
    await connector.idle()
    expect(seen.sort()).toEqual(['earliest new', 'earliest old', 'latest new'])
  })

  it('applies the failure strategies', async () => {
    const connector = createInMemoryConnector()
    const onMessage = () => {
      throw new Error('bad')
    }
    const open = (failureStrategy: 'fail' | 'ignore' | 'dead-letter-queue') =>
      connector.openIncoming({ channel: 'beers', failureStrategy, onMessage })
    const [failing, ignoring, dead] = [open('fail'), open('ignore'), open('dead-letter-queue')]
    connector.publish('beers', { value: '1' })
    connector.publish('beers', { value: '2' })
    await connector.idle()
    expect(failing.counters).toMatchObject({ received: 1, failed: 1, acknowledged: 0 })
    expect(await failing.liveness.check(signal)).toEqual({ status: 'DOWN', data: { reason: 'bad' } })
    expect(ignoring.counters).toMatchObject({ received: 2, failed: 2, acknowledged: 2 })
    expect(dead.counters).toMatchObject({ deadLettered: 2, acknowledged: 2 })
    expect(connector.messages('dead-letter-topic-beers')[1]?.headers).toMatchObject({ 'dead-letter-offset': '1' })
  })

  it('refuses messages after a channel was closed', async () => {
    const connector = createInMemoryConnector()
    const channel = connector.openOutgoing({ channel: 'beers' })
    await channel[Symbol.asyncDispose]()
    await expect(channel.send({ value: 'x' })).rejects.toThrow(ChannelClosedError)
  })
})
