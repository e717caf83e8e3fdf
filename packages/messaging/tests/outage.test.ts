import { startEmbeddedKafka } from '@taproom/embedded-kafka'
import { waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { openIncoming, openOutgoing, openTransform } from '../src/index.ts'
import { clientOf, startStoppableBroker } from './stoppable-broker.ts'

const isUp = async (channel: { check: { check(signal: AbortSignal): unknown } }) => {
  const outcome = await channel.check.check(AbortSignal.timeout(30_000))
  return typeof outcome === 'object' && outcome !== null && 'status' in outcome && outcome.status === 'UP'
}

describe.concurrent('Kafka stopped and started again', () => {
  it('every channel is DOWN meanwhile and goes on afterwards, without a gap and without a duplicate', async () => {
    await using broker = await startStoppableBroker()
    const { kafka } = broker
    const seen: string[] = []
    await using outgoing = openOutgoing(kafka, { channel: 'beers', topic: 'beer', overflow: 'drop', timeoutMs: 90_000 })
    await using transform = openTransform(kafka, {
      channel: 'pricing',
      inputTopic: 'beer',
      outputTopic: 'priced-beer',
      groupId: 'pricing',
      transactionalId: 'pricing',
      transform: ({ key, value }) => [{ key, value: `${value} priced` }],
    })
    await using incoming = openIncoming(kafka, {
      channel: 'priced-beer',
      onMessage: (message) => void seen.push(String(message.value)),
    })
    const channels = [outgoing, transform, incoming]
    await Promise.all([incoming.assigned, transform.assigned])
    await waitFor('the producer', () => isUp(outgoing))
    expect(await outgoing.send({ value: '1' })).toEqual({ accepted: true })
    await waitFor('the first price', () => seen.length >= 1)

    await broker.stop()
    await waitFor('a dropped message', async () => !(await outgoing.send({ value: 'lost' })).accepted)
    await waitFor('every check DOWN', async () => !(await Promise.all(channels.map(isUp))).includes(true))
    expect(await incoming.liveness.check(AbortSignal.timeout(30_000))).toEqual({ status: 'UP' })

    await broker.startAgain()
    await waitFor('every check UP', async () => !(await Promise.all(channels.map(isUp))).includes(false))
    expect(await outgoing.send({ value: '2' })).toEqual({ accepted: true })
    await waitFor('the second price', () => seen.length >= 2)
    expect(seen).toEqual(['1 priced', '2 priced'])
  })

  it('a generated group resumes where it stood: nothing written while it was away is missed', async () => {
    await using broker = await startStoppableBroker()
    const { kafka } = broker
    const seen: string[] = []
    await using incoming = openIncoming(kafka, {
      channel: 'beers',
      onMessage: (message) => void seen.push(String(message.value)),
    })
    await incoming.assigned
    await broker.stop()
    await waitFor('the reader to notice', async () => !(await isUp(incoming)))
    await broker.startAgain()
    await using outgoing = openOutgoing(kafka, { channel: 'beers', timeoutMs: 90_000 })
    await outgoing.send({ value: 'early' })
    await waitFor('the message', () => seen.length > 0)
    expect(seen).toEqual(['early'])
  })

  it('a buffered message is written once Kafka is back', async () => {
    await using broker = await startStoppableBroker()
    const { kafka } = broker
    await using outgoing = openOutgoing(kafka, { channel: 'events', timeoutMs: 90_000 })
    await outgoing.send({ value: '1' })
    await broker.stop()
    const sending = outgoing.send({ value: '2' })
    await waitFor('the producer to notice', async () => !(await isUp(outgoing)))
    await broker.startAgain()
    expect(await sending).toEqual({ accepted: true })
    const seen: string[] = []
    await using _incoming = openIncoming(kafka, {
      channel: 'events',
      from: 'earliest',
      onMessage: (message) => void seen.push(String(message.value)),
    })
    await waitFor('both', () => seen.includes('2'))
    expect(seen[0]).toBe('1')
  })
})

describe.concurrent('Kafka started again with nothing stored', () => {
  it('readers go on with the new log, although its offsets are lower', async () => {
    const seen: string[] = []
    const first = await startEmbeddedKafka()
    const client = clientOf(first)
    await using incoming = openIncoming(client, {
      channel: 'beers',
      onMessage: (message) => void seen.push(String(message.value)),
    })
    await incoming.assigned
    await using outgoing = openOutgoing(client, { channel: 'beers', timeoutMs: 90_000 })
    for (const value of ['1', '2', '3']) await outgoing.send({ value })
    await waitFor('three messages', () => seen.length >= 3)
    await first[Symbol.asyncDispose]()
    await waitFor('the reader to notice', async () => !(await isUp(incoming)))
    await using _second = await startEmbeddedKafka({ port: first.port })
    await waitFor('the reader to be back', () => isUp(incoming))
    // A reader that finds its offset beyond the log goes on at the log's end, which may be past a message sent meanwhile.
    await waitFor('a new message', async () => {
      await outgoing.send({ value: 'new' })
      return seen.length > 3
    })
    expect(seen.slice(0, 4)).toEqual(['1', '2', '3', 'new'])
  })
})
