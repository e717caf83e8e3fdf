import { createFilter, DEFAULT_DELIVERY_POLICY, toKafkaMessage } from '@taproom/events'
import { createKafka, openOutgoing } from '@taproom/messaging'
import { createLogger } from '@taproom/service'
import { startHttpServer, startKafka, waitFor } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { createBrokerReaders } from '../src/eventing/broker-readers.ts'
import { Brokers } from '../src/eventing/brokers.ts'
import { createSender } from '../src/eventing/sender.ts'
import { openSubscription } from '../src/eventing/subscription.ts'
import { startSubscriber } from './event-subscriber.ts'
import { UNUSED } from './unused-destinations.ts'

const TOPIC = 'events'
const IDS = ['1', '2', '3', '4', '5']

/** A topic of events, and triggers that read it, until all of it is disposed of. */
async function startTriggers() {
  await using opened = new AsyncDisposableStack()
  const kafka = opened.use(await startKafka())
  const log = createLogger('test', { level: 'silent' })
  const client = createKafka({ clientId: 'test', bootstrapServers: kafka.bootstrapServers, log })
  const topic = opened.use(openOutgoing(client, { channel: TOPIC, timeoutMs: 90_000 }))
  const openReader = createBrokerReaders(client)
  const resources = opened.move()
  return {
    send: (id: string) => topic.send(toKafkaMessage({ specversion: '1.0', id, source: '/tests', type: 'any' })),
    open: (name: string, subscriber: string, after?: Promise<unknown>) => {
      const uri = `${subscriber}/${name}`
      return openSubscription({
        trigger: { namespace: 'default', name },
        reader: openReader(TOPIC),
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
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

it('a trigger that is opened again begins when the one before it is closed, and misses nothing', async () => {
  await using triggers = await startTriggers()
  await using subscriber = await startSubscriber()
  const arrived = (name: string) => subscriber.deliveries.filter(({ path }) => path === `/${name}`).map(({ id }) => id)
  const closing = Promise.withResolvers<void>()
  await using _other = triggers.open('other', subscriber.url)
  await using _again = triggers.open('again', subscriber.url, closing.promise)
  for (const id of IDS) await triggers.send(id)
  await waitFor('the other one has all', () => arrived('other').length === IDS.length)
  expect(arrived('again')).toEqual([])
  closing.resolve()
  await waitFor('all of them', () => arrived('again').length === IDS.length)
  expect(arrived('again')).toEqual(IDS)

  // One that is closed before it has begun never begins.
  const never = triggers.open('never', subscriber.url, Promise.resolve())
  await never[Symbol.asyncDispose]()
  expect(arrived('never')).toEqual([])
})

it('an event whose delivery a closed trigger has given up is delivered by the next one', async () => {
  await using triggers = await startTriggers()
  const asked: (string | undefined)[] = []
  let hangs = true
  await using subscriber = await startHttpServer((req, res) => {
    asked.push(req.headers['ce-id']?.toString())
    if (!hangs) res.end()
  })
  const first = triggers.open('slow', subscriber.url)
  await triggers.send('1')
  await waitFor('the first try', () => asked.length === 1)
  await first[Symbol.asyncDispose]()
  hangs = false
  await using _next = triggers.open('slow', subscriber.url)
  await waitFor('the second try', () => asked.length === 2)
  expect(asked).toEqual(['1', '1'])
})
