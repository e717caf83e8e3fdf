import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventHeaders, send } from './event-requests.ts'
import { brokerManifest, type Delivery, triggerManifest } from './event-subscriber.ts'
import { type RunningDeliveries, runDeliveries } from './running-deliveries.ts'

/** UTF-8 as Node's HTTP takes and gives it: a character for each byte. */
const bytes = (text: string) => Buffer.from(text).toString('latin1')

const SOURCES = ['/c%2Fd', '/a%20b', '/a%2520b', '/gr%C3%BC%C3%9Fe', '/100%25', '/a%FFb', '/a?q=1%0A2', '/%41', 'a:%2B']
const TEXTS = [
  ...['a%20b', 'a b', '100%', '%zz', '%', '50%be', '%2B49', 'a%0D%0Ab', '%22x%22', 'a"b', '"a b"', '"open', "it's"],
  ...[
    'Gr%C3%B6%C3%9Fe',
    bytes('Größe 100%'),
    bytes('€ %41'),
    bytes('😀'),
    'Gr\xf6\xdfe',
    '{"a":1}',
    'a\\"b',
    'x%E2%80%A8y',
  ],
]

describe('decisions 1.80: what came in binary mode', () => {
  let running: RunningDeliveries

  beforeAll(async () => {
    running = await runDeliveries((uri) => ({
      'default.yaml': brokerManifest('default'),
      'next.yaml': brokerManifest('next'),
      'triggers.yaml': [
        triggerManifest('plain', uri),
        triggerManifest('crossing', uri, {
          destination: '{ ref: { apiVersion: eventing.knative.dev/v1, kind: Broker, name: next } }',
        }),
        triggerManifest('crossed', uri, { broker: 'next', filter: 'crossing' }),
        triggerManifest('asking', uri),
        triggerManifest('answered', uri),
        triggerManifest('failing', uri, { delivery: `delivery: { deadLetterSink: { uri: "${uri}/letters" } }` }),
      ].join('---'),
    }))
    running.subscriber.answer('/failing', (res) => res.writeHead(400).end())
  })
  afterAll(() => running?.[Symbol.asyncDispose]())

  const delivered = (id: string, path: string): Promise<Delivery> =>
    waitFor(`${path} has it`, () => running.subscriber.deliveriesOf(id, path)[0])

  /** The way that events of a type take, and where they end. */
  const ways = [
    ['plain', '/plain'],
    ['crossing', '/crossed'],
    ['failing', '/letters'],
  ] as const
  const values = [
    ...SOURCES.map((value) => ['ce-source', value] as const),
    ...TEXTS.map((value) => ['ce-subject', value] as const),
    ...TEXTS.map((value) => ['ce-ext', value] as const),
    ['ce-time', '2020-02-29T23%3A59%3A60Z'],
    ['ce-dataschema', 'https://x/a%2Fb'],
  ] as const

  it.each(ways)('goes out byte for byte: %s, to %s', async (type, path) => {
    for (const [name, value] of values) {
      const id = await running.post(type, { [name]: value })
      expect([name, (await delivered(id, path)).headers[name]]).toEqual([name, value])
    }
  })

  it('goes out byte for byte in a reply', async () => {
    for (const [name, value] of values) {
      const id = crypto.randomUUID()
      const headers = eventHeaders({ 'ce-id': id, 'ce-type': 'answered', [name]: value })
      running.subscriber.answer('/asking', (res) => res.writeHead(200, headers).end(Buffer.from('{}')))
      await running.post('asking')
      expect([name, (await delivered(id, '/answered')).headers[name]]).toEqual([name, value])
    }
  })

  it('may have an id and a type of that kind', async () => {
    const id = `100%25 ${bytes('für')} "${crypto.randomUUID()}"`
    await running.post('pla%69n', { 'ce-id': id })
    expect((await delivered(id, '/plain')).headers).toMatchObject({ 'ce-id': id, 'ce-type': 'pla%69n' })
  })

  it.each(['application/json', 'application/json; charset=utf-8', 'text/plain', undefined])(
    'may have no data and the type %s, as SDKs send it, and takes any way so',
    async (contentType) => {
      for (const [type, path] of ways) {
        const headers = eventHeaders({ 'ce-type': type, 'content-type': contentType })
        const url = `${running.url}/default/default`
        expect(await send(url, { headers, body: '' })).toMatchObject({ status: 202 })
        const delivery = await delivered(headers['ce-id'] ?? '', path)
        expect([delivery.headers['content-type'], delivery.body]).toEqual([contentType, ''])
        expect(delivery.headers).toMatchObject({ 'ce-type': type, 'content-length': '0' })
      }
    },
  )
})
