import type { ServerResponse } from 'node:http'
import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokerManifest, triggerManifest } from './event-subscriber.ts'
import { type RunningDeliveries, runDeliveries } from './running-deliveries.ts'

const PIPELINED = 'taproom/delivery.pipelining: "8"'

describe('the annotation taproom/delivery.pipelining', () => {
  let running: RunningDeliveries
  beforeAll(async () => {
    running = await runDeliveries((uri) => ({
      'broker.yaml': brokerManifest('default'),
      'triggers.yaml': [
        triggerManifest('plain', uri),
        triggerManifest('pipelined', uri, { annotations: PIPELINED }),
        triggerManifest('breaking', uri, {
          annotations: PIPELINED,
          delivery: 'delivery: { retry: 3, backoffPolicy: linear, backoffDelay: PT0.01S }',
        }),
      ].join('---'),
    }))
  })
  afterAll(() => running?.[Symbol.asyncDispose]())

  const postMany = (type: string) => Promise.all(Array.from({ length: 30 }, () => running.post(type)))

  /** How many of 30 events are under way on one connection at most when all have come, after some that were answered at once. */
  const mostOnOneConnection = async (type: string) => {
    const path = `/${type}`
    running.subscriber.answer(path, (res) => void res.writeHead(202).end())
    for (let count = 0; count < 8; count += 1) {
      const id = await running.post(type)
      await waitFor('the event', () => running.subscriber.deliveriesOf(id, path).length > 0)
    }
    const held: ServerResponse[] = []
    running.subscriber.answer(path, (res) => void held.push(res))
    await postMany(type)
    await waitFor('all of them', () => held.length >= 30)
    running.subscriber.answer(path, (res) => void res.writeHead(202).end())
    for (const res of held) res.writeHead(202).end()
    return Math.max(
      ...Map.groupBy(held, ({ req }) => req.socket)
        .values()
        .map(({ length }) => length),
    )
  }

  it('decisions 3.134: has several events under way on one connection; without it there is one', async () => {
    let most = 0
    // On a busy machine answers may take too long for it.
    await waitFor('two events on one connection', async () => {
      most = await mostOnOneConnection('pipelined')
      return most > 1
    })
    expect(most).toBeLessThanOrEqual(8)
    expect(await mostOnOneConnection('plain')).toBe(1)
  })

  it('loses no event to a subscriber that ends its connections', async () => {
    let requests = 0
    const taken = new Set<string>()
    running.subscriber.answer('/breaking', (res, attempt) => {
      requests += 1
      if (requests % 5 === 0 && attempt === 1) {
        res.req.socket.destroy()
        return
      }
      // Counts once the answer has gone out on a connection that is still there.
      res.on('finish', () => taken.add(String(res.req.headers['ce-id'])))
      setImmediate(() => res.writeHead(202).end())
    })
    const ids = [...(await postMany('breaking')), ...(await postMany('breaking'))]
    await waitFor('all of them', () => ids.every((id) => taken.has(id)))
    expect(requests).toBeGreaterThan(ids.length)
  })
})
