import { createFilter, DEFAULT_DELIVERY_POLICY, toKafkaMessage } from '@taproom/events'
import { createKafka, openOutgoing } from '@taproom/messaging'
import { createLogger } from '@taproom/service'
import { eventually, startKafka, type TestKafka, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBrokerReaders } from '../src/eventing/broker-readers.ts'
import { Brokers } from '../src/eventing/brokers.ts'
import type { DeliveryRoute } from '../src/eventing/deliver.ts'
import { createSender } from '../src/eventing/sender.ts'
import { openSubscription } from '../src/eventing/subscription.ts'
import { brokerManifest, type EventSubscriber, ORDERED, startSubscriber, triggerManifest } from './event-subscriber.ts'
import { runPlatform } from './running-platform.ts'
import { UNUSED } from './unused-destinations.ts'

type RecordOptions = Parameters<ReturnType<typeof openOutgoing>['send']>[0]

const log = createLogger('test', { level: 'silent' })
const attributes = {
  ce_specversion: '1.0',
  ce_source: '/tests',
  ce_type: 'any',
  'content-type': 'application/json',
}
const event = (id: string, headers: Readonly<Record<string, string>> = {}): RecordOptions => ({
  headers: { ...attributes, ce_id: id, ...headers },
  value: '{}',
})
const structured = (value: string): RecordOptions => ({
  headers: { 'content-type': 'application/cloudevents+json' },
  value,
})
const many = (count: number, prefix: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, 'x']))

/** What another producer, or an older version, may have written; `isEvent` when there is an event in it that can be delivered. */
const RECORDS: readonly { readonly what: string; readonly record: RecordOptions; readonly isEvent?: true }[] = [
  { what: 'nothing', record: { value: null } },
  { what: 'no event', record: { value: 'hello' } },
  { what: 'an event of an unknown version', record: event('1', { ce_specversion: '9' }) },
  { what: 'an attribute without a name', record: event('1', { ce_: 'x' }) },
  { what: 'an attribute named __proto__', record: event('1', { ce___proto__: 'x' }) },
  { what: 'a structured event that is cut', record: structured('{"specversion":"1.0"') },
  { what: 'a structured event without a value', record: { ...structured(''), value: null } },
  { what: 'a structured event that is no UTF-8', record: { ...structured(''), value: Buffer.from([0x7b, 0xff]) } },
  { what: 'deeply nested JSON', record: structured('{"a":'.repeat(200_000)) },
  {
    what: 'deeply nested data',
    record: structured(`{"specversion":"1.0","data":${'['.repeat(9000)}${']'.repeat(9000)}}`),
  },
  { what: 'a media type that no header can hold', record: event('1', { 'content-type': 'text/\u0100' }) },
  { what: 'far too many attributes', record: event('1', many(900, 'ce_a')) },
  { what: 'far too long an attribute', record: event('1', { ce_long: 'x'.repeat(500_000) }) },
  { what: 'far too many travelling headers', record: event('many', many(900, 'knative-')), isEvent: true },
  { what: 'far too long a travelling header', record: event('long', { baggage: 'x'.repeat(100_000) }), isEvent: true },
  {
    what: 'a travelling header that no request can hold',
    record: event('wild', { 'knative-a': '\u0100\r\n' }),
    isEvent: true,
  },
]

describe('records that cannot be handled', () => {
  let kafka: TestKafka
  let subscriber: EventSubscriber

  beforeAll(async () => {
    subscriber = await startSubscriber()
    kafka = await startKafka()
  })
  afterAll(async () => {
    await kafka?.[Symbol.asyncDispose]()
    await subscriber?.[Symbol.asyncDispose]()
  })

  it('are set aside and counted; those behind them arrive, in order, and none of them is lost', async () => {
    await using running = await runPlatform({
      bootstrapServers: kafka.bootstrapServers,
      files: {
        'broker.yaml': brokerManifest('default'),
        'trigger.yaml': triggerManifest('all', subscriber.url, { filter: '""', annotations: ORDERED }),
      },
    })
    await running.ready()
    const client = createKafka({ clientId: 'stranger', bootstrapServers: kafka.bootstrapServers, log })
    await using topic = openOutgoing(client, {
      channel: 'strange',
      topic: 'knative-broker.default.default',
      timeoutMs: 90_000,
    })
    for (const [index, { record }] of RECORDS.entries()) {
      await topic.send(record)
      await topic.send(event(`after-${index}`))
    }
    const expected = RECORDS.flatMap(({ record, isEvent }, index) => {
      const id = record.headers?.['ce_id']
      return [...(isEvent ? [String(id)] : []), `after-${index}`]
    })
    const arrived = () => subscriber.deliveries.filter(({ path }) => path === '/all').map(({ id }) => id)
    await waitFor('the last one has arrived', () => arrived().at(-1) === expected.at(-1))
    expect(arrived()).toEqual(expected)
    const trigger = running.platform.store.get({ kind: 'Trigger', namespace: 'default', name: 'all' })
    // An event is counted when its answer has come, which is after it has arrived.
    await eventually(() =>
      expect(trigger && running.platform.controller.triggers.counters(trigger)).toMatchObject({
        delivered: expected.length,
        dropped: 0,
        setAside: RECORDS.filter(({ isEvent }) => !isEvent).length,
      }),
    )
    expect(subscriber.deliveriesOf('wild')[0]?.headers).not.toHaveProperty('knative-a')
  })

  it.each([true, false])(
    'an event whose filter throws is not lost without a trace (dead letter sink: %s)',
    async (hasSink) => {
      const client = createKafka({ clientId: 'test', bootstrapServers: kafka.bootstrapServers, log })
      const name = `filter-${hasSink}`
      await using topic = openOutgoing(client, { channel: name, timeoutMs: 90_000 })
      const at = (path: string) => {
        const uri = `${subscriber.url}/${path}`
        return { uri, kind: 'url', url: new URL(uri) } as const
      }
      const warnings: { readonly fields: object; readonly message: string }[] = []
      const route: DeliveryRoute = {
        subscriber: at(name),
        policy: DEFAULT_DELIVERY_POLICY,
        ...(hasSink && { deadLetterSink: at('letters') }),
        reply: async () => {},
      }
      const passes = createFilter({})
      await using subscription = openSubscription({
        reader: createBrokerReaders(client)(name),
        trigger: { namespace: 'default', name },
        topic: name,
        groupId: name,
        concurrency: 1,
        send: createSender({ brokers: new Brokers({ outgoing: topic }), ...UNUSED }),
        route: () => ({
          ...route,
          matches: (tried) => {
            if (tried.id.startsWith('bad')) throw new RangeError('Maximum call stack size exceeded')
            return passes(tried)
          },
        }),
        onEnd: () => {},
        log: { warn: (fields, message) => void warnings.push({ fields, message }) },
      })
      const [bad, good] = [`bad-${name}`, `good-${name}`]
      for (const id of [bad, good]) {
        await topic.send(toKafkaMessage({ specversion: '1.0', id, source: '/tests', type: 'any' }))
      }
      await waitFor('the event behind it has arrived', () => subscriber.deliveriesOf(good, `/${name}`)[0])
      expect(subscriber.deliveriesOf(bad, `/${name}`)).toEqual([])
      expect(subscription.counters).toMatchObject({
        deadLettered: hasSink ? 1 : 0,
        dropped: hasSink ? 0 : 1,
        setAside: 0,
      })
      const message = hasSink ? 'event sent to the dead letter sink' : 'event dropped'
      expect(warnings).toEqual([{ fields: expect.objectContaining({ id: bad, reason: 'filter' }), message }])
      const letter = subscriber.deliveriesOf(bad, '/letters')[0]
      const data = Buffer.from(String(letter?.headers['ce-knativeerrordata']), 'base64').toString()
      if (hasSink) expect(data).toBe('filter: Maximum call stack size exceeded')
    },
  )

  it('are few lines of the log, however many they are', async () => {
    const client = createKafka({ clientId: 'test', bootstrapServers: kafka.bootstrapServers, log })
    await using topic = openOutgoing(client, { channel: 'empty', timeoutMs: 90_000 })
    const warnings: string[] = []
    await using subscription = openSubscription({
      reader: createBrokerReaders(client)('empty'),
      trigger: { namespace: 'default', name: 'empty' },
      topic: 'empty',
      groupId: 'empty',
      concurrency: 1,
      send: createSender({ brokers: new Brokers({ outgoing: topic }), ...UNUSED }),
      route: () => expect.fail(),
      onEnd: () => {},
      log: { warn: (_fields, message) => void warnings.push(message) },
    })
    await Promise.all(Array.from({ length: 500 }, () => topic.send({ value: null })))
    await waitFor('all to be set aside', () => subscription.counters.setAside === 500)
    // A busy machine may take longer than the ten seconds of a window.
    const windows = 1 + warnings.filter((message) => message === 'further records set aside').length
    const lines = warnings.filter((message) => message === 'record set aside').length
    expect(lines).toBeGreaterThan(0)
    expect(lines).toBeLessThanOrEqual(20 * windows)
  })
})
