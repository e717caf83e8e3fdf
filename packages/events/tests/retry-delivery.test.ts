import { startHttpServer } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import {
  type AttemptLimits,
  DEFAULT_DELIVERY_POLICY,
  REQUEST_DELIVERY_POLICY,
  type RetryOptions,
  retryDelivery,
  sendEvent,
} from '../src/index.ts'
import { makeEvent } from './make-event.ts'

const sendTo =
  (url: string, timeoutMs = 60_000) =>
  () =>
    sendEvent({ url, event: makeEvent(), timeoutMs })

/** Delivers to a subscriber that gives these answers in turn, the last one for ever. */
async function deliverTo(statuses: readonly number[], options: Partial<RetryOptions> = {}) {
  let requests = 0
  const waits: number[] = []
  await using server = await startHttpServer((_req, res) => {
    const status = statuses[Math.min(requests, statuses.length - 1)] ?? 500
    requests += 1
    res.writeHead(status, { 'retry-after': '7' }).end()
  })
  const outcome = await retryDelivery(sendTo(server.url), {
    policy: DEFAULT_DELIVERY_POLICY,
    sleep: async (ms) => void waits.push(ms),
    ...options,
  })
  return { outcome, requests, waits }
}

describe('retryDelivery', () => {
  it('is done after the first answer that takes the event', async () => {
    const { outcome, requests } = await deliverTo([202])
    expect(outcome).toEqual({ delivered: true, status: 202, attempts: 1 })
    expect(requests).toBe(1)
  })

  it('decisions 1.55: retries with growing waits until the subscriber takes the event', async () => {
    const { outcome, waits } = await deliverTo([500, 404, 409, 200])
    expect(outcome).toEqual({ delivered: true, status: 200, attempts: 4 })
    expect(waits).toEqual([200, 400, 800])
  })

  it('decisions 1.55: gives up after 10 retries', async () => {
    const { outcome, requests, waits } = await deliverTo([500])
    expect(outcome).toMatchObject({ delivered: false, status: 500, attempts: 11 })
    expect(requests).toBe(11)
    expect(waits.reduce((sum, wait) => sum + wait)).toBe(204_600)
  })

  it.each([
    ['an answer that asks for an hour', 3_600_000, [1000, 1000]],
    ['an answer that asks for none', 0, [200, 400]],
  ])('decisions 3.157: without a policy ends in time for a request, with %s', async (_case, retryAfterMs, expected) => {
    const waits: number[] = []
    const limits: AttemptLimits[] = []
    const attempt = async (given: AttemptLimits) => {
      limits.push(given)
      return { delivered: false, retryable: true, reason: 'status', retryAfterMs } as const
    }
    const outcome = await retryDelivery(attempt, { sleep: async (ms) => void waits.push(ms) })
    expect({ attempts: outcome.attempts, waits }).toEqual({ attempts: 3, waits: expected })
    expect(limits).toEqual(Array(3).fill({ timeoutMs: 2000 }))
    const { retry, timeoutMs, retryAfterMaxMs } = REQUEST_DELIVERY_POLICY
    expect((retry + 1) * timeoutMs + retry * retryAfterMaxMs).toBe(8000)
  })

  it('ends an attempt when it is aborted', async () => {
    const controller = new AbortController()
    await using server = await startHttpServer(() => controller.abort(new Error('stop')))
    const delivering = retryDelivery((limits) => sendEvent({ url: server.url, event: makeEvent(), ...limits }), {
      signal: controller.signal,
    })
    await expect(delivering).rejects.toThrow('stop')
  })

  it('does not retry what is not worth it', async () => {
    const { outcome, requests } = await deliverTo([500, 400])
    expect(outcome).toMatchObject({ delivered: false, retryable: false, status: 400, attempts: 2 })
    expect(requests).toBe(2)
  })

  it('waits as long as the subscriber asks', async () => {
    const { waits } = await deliverTo([503, 429, 500, 200])
    expect(waits).toEqual([7000, 7000, 800])
  })

  it('reports each retry', async () => {
    const retries: unknown[] = []
    await deliverTo([500, 200], { onRetry: (retry) => retries.push(retry) })
    expect(retries).toEqual([
      { attempt: 1, waitMs: 200, outcome: { delivered: false, retryable: true, status: 500, reason: 'status' } },
    ])
  })

  it('stops waiting when it is aborted', async () => {
    const controller = new AbortController()
    await using server = await startHttpServer((_req, res) => {
      res.writeHead(503, { 'retry-after': '3600' }).end()
    })
    const delivering = retryDelivery(sendTo(server.url), {
      policy: { ...DEFAULT_DELIVERY_POLICY, retryAfterMaxMs: 3_600_000 },
      signal: controller.signal,
      onRetry: () => setImmediate(() => controller.abort(new Error('stop'))),
    })
    await expect(delivering).rejects.toThrow('stop')
  })

  it('tries again what got no answer in time', async () => {
    let requests = 0
    await using server = await startHttpServer((_req, res) => {
      requests += 1
      if (requests > 1) res.end()
    })
    const policy = { ...DEFAULT_DELIVERY_POLICY, backoffDelayMs: 1 }
    const outcome = await retryDelivery(sendTo(server.url, 50), { policy })
    expect(outcome).toMatchObject({ delivered: true, status: 200 })
    expect(outcome.attempts).toBeGreaterThanOrEqual(2)
  })
})
