import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { call, startGateway } from './fixtures/gateway.ts'

/** A gateway whose claim-api is restarted until `over` is called. */
async function startRestarting(maxHeld?: number) {
  const restart = Promise.withResolvers<void>()
  let isRestarting = true
  const gateway = await startGateway(async (req, res) => void res.end(`${req.method} ${await text(req)}`), {
    restartOf: (service) => (isRestarting && service === 'claim-api' ? restart.promise : undefined),
    maxHeld,
  })
  const over = () => {
    isRestarting = false
    restart.resolve()
  }
  return Object.assign(gateway, { over, claim: `${gateway.url}/secure/claim` })
}

describe('requests to a service that is being restarted', () => {
  it('decisions 3.75: wait with their bodies, while others are answered', async () => {
    await using gateway = await startRestarting()
    const body = 'x'.repeat(1_000_000)
    const held = call(gateway.claim, { method: 'POST', body })
    expect((await call(`${gateway.url}/movie`)).statusCode).toBe(200)
    expect(gateway.behind.requests.map(({ url }) => url)).toEqual(['/movie'])
    gateway.over()
    const answer = await held
    expect(answer.statusCode).toBe(200)
    expect(await text(answer)).toBe(`POST ${body}`)
  })

  it('are 503 with Retry-After beyond the number that may wait, and make room when their client leaves', async () => {
    await using gateway = await startRestarting(1)
    const first = request(gateway.claim, { agent: false }).on('error', () => {})
    first.end()
    const refused = await waitFor('a refusal', async () => {
      const second = new AbortController()
      const answer = await Promise.race([
        fetch(gateway.claim, { signal: second.signal }),
        fetch(gateway.claim, { signal: second.signal }),
      ]).catch(() => undefined)
      second.abort()
      return answer
    })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    first.destroy()
    const third = await waitFor('room', async () => {
      const answer = call(gateway.claim)
      const others = (async () => {
        for (let asked = 0; asked < 5; asked += 1) await call(`${gateway.url}/movie`)
        return true
      })()
      const isHeld = await Promise.race([answer.then(() => false), others])
      return isHeld && { answer }
    })
    gateway.over()
    expect((await third.answer).statusCode).toBe(200)
  })
})
