import type { Request, Response } from 'express'
import { describe, expect, it } from 'vitest'
import { authenticate, callerOf, InvalidTokenError, type JwtVerifier } from '../src/index.ts'
import { serving, welcome } from './serve.ts'
import { createVerification, keep } from './verification.ts'

type Verify = JwtVerifier['verify']

const { sign, verifier } = await createVerification()
const listen = serving()

async function statusFor(guard: Pick<JwtVerifier, 'verify'>, token: string): Promise<number> {
  const url = await listen(welcome(authenticate(guard)))
  return (await fetch(url, { headers: { Authorization: `Bearer ${token}` } })).status
}

describe('a verifier', () => {
  it('answers for a known token at once, and for another one later', async () => {
    const own = await verifier()
    const token = await sign()
    const passed: unknown[] = []
    const req = { rawHeaders: ['Authorization', `Bearer ${token}`] } as Request
    const ask = () => authenticate(own)(req, {} as Response, () => passed.push(callerOf(req)))
    const answer = ask()
    expect(passed).toEqual([])
    await answer
    expect(passed).toHaveLength(1)
    const kept = await keep(own, token)
    expect([ask(), passed.at(-1)]).toEqual([undefined, kept])
  })

  it.each([
    ['a copy', (own: JwtVerifier, verify: Verify) => ({ ...own, verify })],
    ['an heir', (own: JwtVerifier, verify: Verify) => Object.create(own, { verify: { value: verify } })],
  ])('is not taken for %s of it, whose verify is asked for every token', async (_case, replaced) => {
    const own = await verifier()
    const stricter = replaced(own, async (token: string) => {
      const caller = await own.verify(token)
      if (caller.claims.preferred_username === 'mallory') throw new InvalidTokenError('revoked')
      return caller
    })
    const [duke, mallory] = [await sign({ user: 'duke' }), await sign({ user: 'mallory' })]
    for (let count = 0; count < 3; count += 1) expect(await statusFor(stricter, mallory)).toBe(401)
    expect(await statusFor(stricter, duke)).toBe(200)
  })

  it('of another kind is asked as what it is', async () => {
    class Nobody {
      readonly #error = new InvalidTokenError('revoked')
      async verify(): Promise<never> {
        throw this.#error
      }
    }
    expect(await statusFor(new Nobody(), 'x')).toBe(401)
  })

  it('with promises of another kind has nobody for a caller before they are settled', async () => {
    // biome-ignore lint/suspicious/noThenProperty: it is to be awaited.
    const refused = { then: (_: unknown, refuse: (error: unknown) => void) => refuse(new InvalidTokenError('revoked')) }
    expect(await statusFor({ verify: () => refused } as unknown as JwtVerifier, 'x')).toBe(401)
  })
})
