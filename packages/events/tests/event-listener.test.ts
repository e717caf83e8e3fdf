import { describe, expect, it } from 'vitest'
import { type CloudEvent, type EventHandler, eventListener } from '../src/index.ts'
import { startServer } from './start-server.ts'

const headers = { 'ce-id': '1', 'ce-source': '/curl', 'ce-type': 'aloha', 'ce-specversion': '1.0' }

function start(handler: EventHandler) {
  const receive = eventListener(handler)
  return startServer((req, res) => receive(req, res, (error) => res.writeHead(500).end(String(error))))
}

describe('eventListener', () => {
  it('hands an event over and answers 200 with an empty body, without express', async () => {
    const events: CloudEvent[] = []
    await using server = await start((event) => void events.push(event))
    const response = await fetch(server.url, { method: 'POST', headers, body: 'Aloha' })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(events).toMatchObject([{ id: '1', type: 'aloha', data: Buffer.from('Aloha') }])
  })

  it('refuses what is no event with 400 problem+json', async () => {
    await using server = await start(() => {})
    const response = await fetch(server.url, { method: 'POST', body: 'Aloha' })
    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
  })

  it.each([
    [
      'throws',
      () => {
        throw new TypeError('no')
      },
    ],
    ['rejects with', () => Promise.reject(new TypeError('no'))],
  ])('passes on what the handler %s, before anything was answered', async (_case, handler) => {
    await using server = await start(handler)
    const response = await fetch(server.url, { method: 'POST', headers, body: 'Aloha' })
    expect([response.status, await response.text()]).toEqual([500, 'TypeError: no'])
  })
})
