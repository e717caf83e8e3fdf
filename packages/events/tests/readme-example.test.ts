import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { markedExample, startHttpServer } from '@taproom/testkit'
import type { CloudEventV1 } from 'cloudevents'
import { describe, expect, it } from 'vitest'
import { readEvent, retryDelivery, sendEvent } from '../src/index.ts'

describe('the README', () => {
  it('shows how an event is sent until the broker has it', async () => {
    const received: CloudEventV1<Buffer>[] = []
    await using broker = await startHttpServer(async (req, res) => {
      received.push(await readEvent(req))
      res.writeHead(received.length < 2 ? 503 : 202).end()
    })
    const url = broker.url
    const { signal } = new AbortController()
    // example
    const event: CloudEventV1<Buffer> = {
      specversion: '1.0',
      id: 'order-1',
      source: '/orders',
      type: 'shop.order.confirmed',
      datacontenttype: 'application/json',
      data: Buffer.from(JSON.stringify({ item: 'pils' })),
    }
    const outcome = await retryDelivery((limits) => sendEvent({ url, event, ...limits }), { signal })
    if (!outcome.delivered) throw new Error(`the broker did not take the event: ${outcome.reason}`)
    // example
    expect(received).toEqual([event, event])
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    expect(readme).toContain(markedExample(fileURLToPath(import.meta.url)))
  })
})
