import type { Socket } from 'node:net'
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

  /** Answers at a path in the next turn, and tells how many requests were under way on one connection at most. */
  const watch = (path: string) => {
    const underWay = new Map<Socket, number>()
    let most = 0
    const add = (socket: Socket, count: number) => {
      underWay.set(socket, (underWay.get(socket) ?? 0) + count)
      most = Math.max(most, underWay.get(socket) ?? 0)
    }
    running.subscriber.answer(path, (res) => {
      add(res.req.socket, 1)
      setImmediate(() => {
        add(res.req.socket, -1)
        res.writeHead(202).end()
      })
    })
    return () => most
  }

  it('decisions 3.134: has several events under way on one connection; without it there is one', async () => {
    const [plain, pipelined] = [watch('/plain'), watch('/pipelined')]
    await waitFor('two events on one connection', async () => {
      const ids = [...(await postMany('plain')), ...(await postMany('pipelined'))]
      await waitFor('all of them', () => ids.every((id) => running.subscriber.deliveriesOf(id).length === 1))
      return pipelined() > 1
    })
    expect(pipelined()).toBeLessThanOrEqual(8)
    expect(plain()).toBe(1)
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
