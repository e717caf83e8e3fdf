import type { ServerResponse } from 'node:http'
import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventHeaders } from './event-requests.ts'
import { brokerManifest, ORDERED, triggerManifest } from './event-subscriber.ts'
import { type RunningDeliveries, runDeliveries } from './running-deliveries.ts'

const MIB = 1024 * 1024
const REPLY = { 'ce-type': 'reply' }
const STRUCTURED = { 'content-type': 'application/cloudevents+json' }
const many = (count: number, prefix: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, 'x']))

describe('replies that a broker does not take', () => {
  let running: RunningDeliveries
  const post = (id: string) => running.post('asking', { 'ce-id': id })

  beforeAll(async () => {
    running = await runDeliveries((uri) => {
      const delivery = `delivery: { retry: 1, backoffDelay: PT0.01S, timeout: PT5S, deadLetterSink: { uri: "${uri}/letters" } }`
      return {
        'broker.yaml': brokerManifest('default'),
        'triggers.yaml': [
          triggerManifest('asking', uri, { delivery, annotations: ORDERED }),
          triggerManifest('reply', uri),
        ].join('---'),
      }
    })
  })
  afterAll(() => running?.[Symbol.asyncDispose]())

  it.each<[string, (res: ServerResponse) => void]>([
    ['text', (res) => void res.writeHead(200, { 'content-type': 'text/plain' }).end('hello')],
    [
      'an event without an id',
      (res) => void res.writeHead(200, eventHeaders({ ...REPLY, 'ce-id': undefined })).end('{}'),
    ],
    ['an event that is too large', (res) => void res.writeHead(200, eventHeaders(REPLY)).end('x'.repeat(2 * MIB))],
    [
      'an event with too many attributes',
      (res) => void res.writeHead(200, eventHeaders({ ...REPLY, ...many(300, 'ce-a') })).end('{}'),
    ],
    ['deeply nested JSON', (res) => void res.writeHead(200, STRUCTURED).end('{"a":'.repeat(200_000))],
    ['JSON of very many values', (res) => void res.writeHead(200, STRUCTURED).end(`[${'0,'.repeat(500_000)}0]`)],
    [
      'too many headers that travel along',
      (res) => void res.writeHead(200, eventHeaders({ ...REPLY, ...many(65, 'knative-') })).end('{}'),
    ],
    ['headers beyond what an HTTP client reads', (res) => void res.writeHead(200, { 'x-a': 'x'.repeat(20_000) }).end()],
    ['what is no HTTP', (res) => void res.socket?.end('hello\r\n\r\n')],
    [
      'an answer that is cut',
      (res) =>
        void res.writeHead(200, { ...eventHeaders(REPLY), 'content-length': '9' }).write('{', () => res.destroy()),
    ],
    ['a redirection', (res) => void res.writeHead(302, { location: `${running.subscriber.url}/redirected` }).end()],
  ])('%s: the event is dead-lettered, and the next one delivered', async (_case, answer) => {
    const [bad, next] = [crypto.randomUUID(), crypto.randomUUID()]
    running.subscriber.answer('/asking', (res) => {
      if (running.subscriber.deliveries.at(-1)?.id === bad) answer(res)
      else res.writeHead(202).end()
    })
    await post(bad)
    await post(next)
    await waitFor('the next one is delivered', () => running.subscriber.deliveriesOf(next, '/asking')[0])
    expect(running.subscriber.deliveriesOf(bad, '/letters')).toHaveLength(1)
    expect(running.subscriber.deliveries.filter(({ path }) => path === '/reply' || path === '/redirected')).toEqual([])
  })

  it('a reply brings its own headers, and takes none that are not meant to travel', async () => {
    const id = crypto.randomUUID()
    running.subscriber.answer('/asking', (res) => {
      const own = {
        'x-request-id': 'own',
        baggage: 'own=1',
        'set-cookie': 'a=b',
        authorization: 'x',
        'knative-latin': '\u00e9',
      }
      res.writeHead(200, { ...eventHeaders({ ...REPLY, 'ce-id': id }), ...own }).end('{}')
    })
    await post(crypto.randomUUID())
    const { headers } = await waitFor('the reply is delivered', () => running.subscriber.deliveriesOf(id, '/reply')[0])
    expect(headers).toMatchObject({ 'x-request-id': 'own', baggage: 'own=1', 'knative-latin': '\u00e9' })
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['set-cookie']))
    expect(headers).not.toHaveProperty('authorization')
  })
})
