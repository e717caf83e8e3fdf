import { startHttpServer } from '@taproom/testkit'
import type { CloudEventV1 } from 'cloudevents'
import { describe, expect, it } from 'vitest'
import { type EventHandler, type ReceiveOptions, receiveEvents } from '../src/index.ts'

const headers = { 'ce-id': '1', 'ce-source': '/curl', 'ce-type': 'aloha', 'ce-specversion': '1.0' }

function start(handler: EventHandler, options?: ReceiveOptions) {
  const receive = receiveEvents(handler, options)
  return startHttpServer((req, res) => receive(req, res, (error) => res.writeHead(500).end(String(error))))
}

describe('receiveEvents on bare node:http', () => {
  it('hands an event over and answers 200 with an empty body, without express', async () => {
    const events: CloudEventV1<Buffer>[] = []
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

  it.each([undefined, null, '', 0, false, 'route', 'router'])(
    'a handler that throws or rejects with %j, which is no error, is 500 all the same',
    async (thrown) => {
      const throws = () => {
        throw thrown
      }
      for (const handler of [throws, () => Promise.reject(thrown)]) {
        await using server = await start(handler)
        expect((await fetch(server.url, { method: 'POST', headers, body: 'Aloha' })).status).toBe(500)
      }
    },
  )

  it('waits for whatever can be waited for, not only promises', async () => {
    type Then = (resolve: () => void, reject: (error: Error) => void) => void
    const thens: Then[] = [(resolve) => resolve(), (_, reject) => reject(new TypeError('no'))]
    // biome-ignore lint/suspicious/noThenProperty: this is what it takes to be waited for
    await using server = await start(() => ({ then: thens.shift() }) as unknown as Promise<void>)
    const post = async () => {
      const response = await fetch(server.url, { method: 'POST', headers, body: 'Aloha' })
      return [response.status, await response.text()]
    }
    expect(await post()).toEqual([200, ''])
    expect(await post()).toEqual([500, 'TypeError: no'])
  })

  it('an observer of refusals that throws is an error of that request alone', async () => {
    await using server = await start(() => {}, {
      onRefused() {
        throw new TypeError('no')
      },
    })
    for (let i = 0; i < 2; i += 1) {
      const response = await fetch(server.url, { method: 'POST', body: 'Aloha' })
      expect([response.status, await response.text()]).toEqual([500, 'TypeError: no'])
    }
  })
})
