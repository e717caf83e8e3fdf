import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { send } from './event-requests.ts'
import { brokerManifest, type Delivery, triggerManifest } from './event-subscriber.ts'
import { type RunningDeliveries, runDeliveries } from './running-deliveries.ts'

const STRUCTURED = 'application/cloudevents+json; charset=utf-8'

/** A trigger on all events of a source, with this delivery. */
const bySource = (name: string, uri: string, source: string, delivery = '') =>
  triggerManifest(name, uri, { delivery }).replace(`type: ${name}`, `source: "${source}"`)

describe('decisions 1.80, 3.171: the mode of a delivery', () => {
  let running: RunningDeliveries

  beforeAll(async () => {
    running = await runDeliveries((uri) => ({
      'broker.yaml': brokerManifest('default'),
      'triggers.yaml': [
        bySource('any', uri, '/c/d'),
        bySource('json', uri, '/c/d', 'delivery: { format: json }'),
        bySource('binary', uri, '/c/d', 'delivery: { format: binary }'),
        bySource('escaped', uri, '/c%2Fd'),
      ].join('---'),
    }))
  })
  afterAll(() => running?.[Symbol.asyncDispose]())

  const posted = async (headers: Record<string, string>, body: string) => {
    const before = running.subscriber.deliveries.length
    const url = `${running.url}/default/default`
    expect((await send(url, { headers, body: Buffer.from(body) })).status).toBe(202)
    const isThere = () => running.subscriber.deliveries.length >= before + 3
    await waitFor('three deliveries', isThere)
    const news = running.subscriber.deliveries.slice(before)
    return (path: string) => news.find((delivery) => delivery.path === path) as Delivery
  }
  const structured = (event: object) =>
    posted({ 'content-type': STRUCTURED }, JSON.stringify({ specversion: '1.0', type: 't', source: '/c/d', ...event }))

  it('filters see what a header of binary mode says, decoded; the header itself goes out', async () => {
    const headers = { 'ce-specversion': '1.0', 'ce-id': '100%25', 'ce-type': 't', 'ce-source': '/c%2Fd' }
    const at = await posted({ ...headers, 'content-type': 'application/json' }, '{"n":1.50}')
    for (const path of ['/any', '/binary']) {
      expect(at(path).headers).toMatchObject({ 'ce-source': '/c%2Fd', 'ce-id': '100%25' })
      expect(at(path).body).toBe('{"n":1.50}')
    }
    expect(at('/json').headers['content-type']).toBe(STRUCTURED)
    expect(at('/json').body).toContain('"id":"100%"')
    expect(at('/json').body).toContain('"data":{"n":1.50}')
    expect(at('/escaped')).toBeUndefined()
  })

  it('of an event in structured mode only what HTTP cannot carry is encoded', async () => {
    const at = await structured({ id: '50%25 "off"', subject: 'Größe 100%', data: { n: 1 } })
    for (const path of ['/any', '/binary']) {
      expect(at(path).headers).toMatchObject({ 'ce-id': '50%25 "off"', 'ce-subject': 'Gr%C3%B6%C3%9Fe%20100%25' })
    }
    expect(JSON.parse(at('/json').body)).toMatchObject({ id: '50%25 "off"', subject: 'Größe 100%', data: { n: 1 } })
  })

  it.each([{ data: [1] }, { datacontenttype: 'application/json' }])(
    'an event that not every receiver takes in binary mode is in structured mode, unless binary is wanted: %j',
    async (content) => {
      const at = await structured({ id: '1', ...content })
      expect(at('/any').headers['content-type']).toBe(STRUCTURED)
      expect(at('/json').headers['content-type']).toBe(STRUCTURED)
      expect(at('/binary').headers).toMatchObject({ 'ce-id': '1', 'content-type': 'application/json' })
      expect(at('/binary').body).toBe('data' in content ? '[1]' : '')
    },
  )
})
