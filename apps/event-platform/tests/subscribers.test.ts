import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventHeaders, send } from './event-requests.ts'
import { brokerManifest, ORDERED, triggerManifest } from './event-subscriber.ts'
import { type RunningDeliveries, runDeliveries } from './running-deliveries.ts'

describe('delivery to subscribers', () => {
  let running: RunningDeliveries
  const deliveriesOf = (id: string, path?: string) => running.subscriber.deliveriesOf(id, path)
  const quick = 'delivery: { retry: 3, backoffPolicy: linear, backoffDelay: PT0.01S'

  beforeAll(async () => {
    running = await runDeliveries((uri) => ({
      'broker.yaml': brokerManifest('default'),
      'triggers.yaml': [
        triggerManifest('plain', uri),
        triggerManifest('all', uri, { filter: '""' }),
        triggerManifest('flaky', uri, { delivery: `${quick} }` }),
        triggerManifest('dead', uri, { filter: 'shared' }),
        triggerManifest('alive', uri, { filter: 'shared' }),
        triggerManifest('asking', uri),
        triggerManifest('answer', uri),
        triggerManifest('looping', uri),
        triggerManifest('ordered', uri, { annotations: ORDERED }),
      ].join('---'),
    }))
  })
  afterAll(() => running?.[Symbol.asyncDispose]())

  it('delivers data and attributes unchanged, asks for a reply and passes the request id on', async () => {
    const passed = { 'x-request-id': 'r1', 'x-b3-traceid': 'b3', 'knative-source': 'k', 'retry-after': '7' }
    const id = await running.post('plain', { ...passed, 'x-other': 'no', 'ce-color': 'blue' })
    const delivery = await waitFor('it is delivered', () => deliveriesOf(id, '/plain')[0])
    expect(delivery.body).toBe('{"n": 1.50}')
    expect(delivery.headers).toMatchObject({
      'ce-type': 'plain',
      'ce-color': 'blue',
      'content-type': 'application/json',
      prefer: 'reply',
      ...passed,
      'kn-namespace': 'default',
    })
    expect(delivery.headers).not.toHaveProperty('x-other')
    expect(delivery.headers).not.toHaveProperty('ce-knativebrokerttl')
    await waitFor('the trigger without a filter has it as well', () => deliveriesOf(id, '/all')[0])
  })

  it('decisions 3.17: keeps trace and tracestate, each hop with a span of its own', async () => {
    const [trace, parent] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
    const id = await running.post('plain', { traceparent: `00-${trace}-${parent}-01`, tracestate: 'rojo=00f067aa' })
    const hops = await waitFor('both have it', () => {
      const both = [...deliveriesOf(id, '/plain'), ...deliveriesOf(id, '/all')]
      return both.length === 2 && both.map(({ headers }) => headers)
    })
    expect(hops.map(({ tracestate }) => tracestate)).toEqual(['rojo=00f067aa', 'rojo=00f067aa'])
    const spans = hops.map(({ traceparent }) => /^00-(\w{32})-(\w{16})-01$/.exec(String(traceparent))?.slice(1) ?? [])
    expect(spans.map(([of]) => of)).toEqual([trace, trace])
    expect(new Set([parent, ...spans.map(([, span]) => span)]).size).toBe(3)
  })

  it('decisions 1.71: delivers an event of exactly 1 MiB', async () => {
    const headers = eventHeaders({ 'ce-type': 'plain', 'content-type': 'text/plain' })
    const body = 'x'.repeat(1_048_576)
    expect((await send(`${running.url}/default/default`, { headers, body })).status).toBe(202)
    const delivery = await waitFor('it is delivered', () => deliveriesOf(headers['ce-id'] ?? '', '/plain')[0])
    expect(delivery.body).toHaveLength(body.length)
  })

  it('decisions 1.57: an event that is sent twice is delivered twice', async () => {
    const id = await running.post('plain')
    await running.post('plain', { 'ce-id': id })
    await waitFor('both are delivered', () => deliveriesOf(id, '/plain').length >= 2)
  })

  it('decisions 2.15: triggers may filter on any type, each gets its own', async () => {
    const [plain, alive] = [await running.post('plain'), await running.post('shared')]
    await waitFor('both are delivered', () => deliveriesOf(plain, '/plain')[0] && deliveriesOf(alive, '/alive')[0])
    expect([...deliveriesOf(plain, '/alive'), ...deliveriesOf(alive, '/plain')]).toEqual([])
  })

  it('decisions 1.55: delivers again after 503, until the subscriber takes it', async () => {
    running.subscriber.answer('/flaky', (res, attempt) => void res.writeHead(attempt < 3 ? 503 : 202).end())
    const id = await running.post('flaky')
    await waitFor('it has been tried three times', () => deliveriesOf(id, '/flaky').length >= 3)
  })

  it('a subscriber that hangs does not keep another one from its events', async () => {
    running.subscriber.answer('/dead', () => {})
    const ids = await Promise.all(Array.from({ length: 40 }, () => running.post('shared')))
    await waitFor('the other one has all', () => ids.every((id) => deliveriesOf(id, '/alive').length >= 1))
  })

  it('decisions 1.60: a reply enters the broker and reaches the triggers that want it', async () => {
    const replyId = crypto.randomUUID()
    running.subscriber.answer('/asking', (res) => {
      res.writeHead(200, eventHeaders({ 'ce-id': replyId, 'ce-type': 'answer' })).end('{"re":1}')
    })
    await running.post('asking')
    const reply = await waitFor('the reply is delivered', () => deliveriesOf(replyId, '/answer')[0])
    expect(reply.body).toBe('{"re":1}')
  })

  it('decisions 1.60: a subscriber that answers itself for ever is stopped by the loop guard', async () => {
    const id = crypto.randomUUID()
    running.subscriber.answer('/looping', (res) => {
      res.writeHead(200, eventHeaders({ 'ce-id': id, 'ce-type': 'looping' })).end('{}')
    })
    await running.post('looping', { 'ce-id': id, 'ce-knativebrokerttl': '6' })
    await waitFor('it has gone round', () => deliveriesOf(id, '/looping').length >= 5)
    // Five passes: the guard came in as 6, which leaves 5 for the first one.
    const marker = await running.post('plain')
    await waitFor('later events have passed', () => deliveriesOf(marker, '/plain').length >= 1)
    expect(deliveriesOf(id, '/looping')).toHaveLength(5)
  })

  it('decisions 1.56: an ordered trigger gets one event after another', async () => {
    const order: string[] = []
    let atOnce = 0
    running.subscriber.answer('/ordered', (res) => {
      atOnce += 1
      expect(atOnce).toBe(1)
      setImmediate(() => {
        atOnce -= 1
        res.writeHead(202).end()
      })
    })
    for (let index = 0; index < 20; index += 1) order.push(await running.post('ordered'))
    const arrived = () => running.subscriber.deliveries.filter(({ path }) => path === '/ordered').map(({ id }) => id)
    await waitFor('all have arrived', () => arrived().length >= 20)
    expect(arrived()).toEqual(order)
  })

  it('decisions 1.56: an ordered trigger tries an event again before it goes on to the next', async () => {
    const before = running.subscriber.deliveries.length
    const failing = crypto.randomUUID()
    running.subscriber.answer('/ordered', (res, attempt) => {
      const isFailing = running.subscriber.deliveries.at(-1)?.id === failing && attempt < 3
      res.writeHead(isFailing ? 503 : 202).end()
    })
    await running.post('ordered', { 'ce-id': failing })
    const next = await running.post('ordered')
    const arrived = () =>
      running.subscriber.deliveries
        .slice(before)
        .filter(({ path }) => path === '/ordered')
        .map(({ id }) => id)
    await waitFor('the next one has arrived', () => arrived().includes(next))
    expect(arrived()).toEqual([failing, failing, failing, next])
  })
})
