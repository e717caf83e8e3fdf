import { eventually } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { createVerification } from '../../tests/verification.ts'

const { issuer, verifier } = await createVerification()
const start = Math.floor(Date.now() / 1000) * 1000
const times = { iat: start / 1000, exp: start / 1000 + 10 }
const endpoint = { url: 'https://id.example/introspect', clientId: 'c', clientSecret: 's' }

/** A clock, and answers that take `ms` by it. */
function slow(ms: number) {
  let time = start
  const answering = <T>(answer: T) => {
    time += ms
    return Promise.resolve(answer)
  }
  const facts = (more: object) => ({ active: true, iss: issuer.issuer, sub: 'duke', ...times, ...more })
  const fetch = ((): unknown => answering(Response.json(facts({})))) as typeof globalThis.fetch
  const isRevoked = () => answering(false)
  return { clock: () => time, fetch, isRevoked }
}

describe.each<[number, string | undefined]>([
  [9999, undefined],
  [10_000, 'expired'],
])('a token that has 10 s left, after an answer that takes %i ms', (ms, reason) => {
  it.each(['an opaque token', 'isRevoked', 'isRevoked of an opaque token', 'introspection of a JWT'])(
    '%s',
    async (who) => {
      const { clock, fetch, isRevoked } = slow(ms)
      const isOpaque = who.includes('opaque')
      const one = await verifier({
        clock,
        ...(who.startsWith('isRevoked') && { isRevoked }),
        ...(!who.startsWith('isRevoked') && { introspection: { ...endpoint, tokens: 'all' }, fetch }),
        ...(who === 'isRevoked of an opaque token' && {
          introspection: endpoint,
          fetch: slow(0).fetch,
        }),
      })
      const asked = Promise.resolve(
        one.verify(isOpaque ? 'opaque' : await issuer.sign({ ...times, jti: 'one' })),
      ).catch((error) => error)
      if (reason === undefined) expect(await asked).toHaveProperty('name')
      else expect(await asked).toMatchObject({ reason, ...(!isOpaque && { claimed: { jti: 'one' } }) })
      expect(one.outcomes()).toMatchObject({ accepted: reason ? 0 : 1, expired: reason ? 1 : 0 })
    },
  )
})

it('a remembered token is not accepted after its exp either, when it expires while it is asked about', async () => {
  let [time, wait] = [start, 0]
  const isRevoked = async () => {
    time += wait
    return false
  }
  const one = await verifier({ clock: () => time, isRevoked })
  const token = await issuer.sign(times)
  for (let round = 0; round < 3; round += 1) await one.verify(token)
  wait = 10_000
  await expect(one.verify(token)).rejects.toMatchObject({ reason: 'expired' })
})

it('a token that expires while it waits for the keys of its issuer is refused', async () => {
  let time = start
  let answer: (response: Response) => void = () => {}
  const fetch = (() => new Promise((resolve) => (answer = resolve))) as typeof globalThis.fetch
  const publicKeyLocation = 'https://keys.example/jwks'
  using one = await verifier({ publicKey: undefined, publicKeyLocation, fetch, clock: () => time })
  const asked = Promise.resolve(one.verify(await issuer.sign(times))).catch((error) => error)
  time += 10_000
  answer(Response.json({ keys: [issuer.jwk] }))
  expect(await asked).toMatchObject({ reason: 'expired' })
  expect(one.check.check().status).toBe('UP')
})

it('a question that is open when the verifier is disposed of is given up', async () => {
  let signal: AbortSignal | null | undefined
  const fetch = ((_url: unknown, init: RequestInit) => {
    signal = init.signal
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal?.reason)))
  }) as typeof globalThis.fetch
  const one = await verifier({ fetch, introspection: { ...endpoint, timeoutMs: 600_000 } })
  const asked = Promise.resolve(one.verify('opaque')).catch((error) => error)
  await eventually(() => expect(signal?.aborted).toBe(false))
  one[Symbol.dispose]()
  expect(await asked).toMatchObject({ code: 'JWT_CHECK_FAILED' })
  expect(signal?.aborted).toBe(true)
})
