import { createFilter, DEFAULT_DELIVERY_POLICY, toKafkaMessage } from '@taproom/events'
import { createKafka, openOutgoing } from '@taproom/messaging'
import { createLogger } from '@taproom/service'
import { startKafka, waitFor } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { BrokerReaders } from '../src/eventing/broker-readers.ts'
import { Brokers } from '../src/eventing/brokers.ts'
import { createSender } from '../src/eventing/sender.ts'
import { openSubscription } from '../src/eventing/subscription.ts'
import { startSubscriber } from './event-subscriber.ts'
import { UNUSED } from './unused-destinations.ts'

const TOPIC = 'events'
const IDS = ['1', '2', '3', '4', '5']

it('a trigger that is opened again begins when the one before it is closed, and misses nothing', async () => {
  await using kafka = await startKafka()
  await using subscriber = await startSubscriber()
  const log = createLogger('test', { level: 'silent' })
  const client = createKafka({ clientId: 'test', bootstrapServers: kafka.bootstrapServers, log })
  await using topic = openOutgoing(client, { channel: TOPIC, timeoutMs: 90_000 })
  const readers = new BrokerReaders(client)
  const open = (name: string, after?: Promise<unknown>) => {
    const uri = `${subscriber.url}/${name}`
    return openSubscription({
      trigger: { namespace: 'default', name },
      reader: readers.open(TOPIC),
      topic: TOPIC,
      groupId: name,
      concurrency: 1,
      send: createSender({ brokers: new Brokers({ outgoing: topic }), ...UNUSED }),
      route: () => ({
        matches: createFilter({}),
        subscriber: { uri, kind: 'url', url: new URL(uri) },
        policy: DEFAULT_DELIVERY_POLICY,
        reply: async () => {},
      }),
      after,
      onEnd: () => {},
      log,
    })
  }
  const arrived = (name: string) => subscriber.deliveries.filter(({ path }) => path === `/${name}`).map(({ id }) => id)
  const closing = Promise.withResolvers<void>()
  await using _other = open('other')
  await using _again = open('again', closing.promise)
  for (const id of IDS)
    await topic.send(toKafkaMessage({ specversion: '1.0', id, source: '/tests', type: 'any', extensions: {} }))
  await waitFor('the other one has all', () => arrived('other').length === IDS.length)
  expect(arrived('again')).toEqual([])
  closing.resolve()
  await waitFor('all of them', () => arrived('again').length === IDS.length)
  expect(arrived('again')).toEqual(IDS)

  // One that is closed before it has begun never begins.
  const never = open('never', Promise.resolve())
  await never[Symbol.asyncDispose]()
  expect(arrived('never')).toEqual([])
})
