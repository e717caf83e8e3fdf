import { eventually } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { authenticate, type JwtVerifier, type Refusal } from '../src/index.ts'
import { serving, welcome } from './serve.ts'
import { createVerification } from './verification.ts'

const { issuer, verifier } = await createVerification()
const listen = serving()
type IsRevoked = NonNullable<NonNullable<Parameters<typeof verifier>[0]>['isRevoked']>

async function outcome(one: JwtVerifier, token: string): Promise<string> {
  return Promise.resolve(one.verify(token)).then(
    () => 'accepted',
    ({ reason, code }: { reason?: string; code: string }) => reason ?? code,
  )
}

describe('decisions 3.35: isRevoked', () => {
  it.each([
    ['at once', (revoked: boolean) => revoked],
    ['later', async (revoked: boolean) => revoked],
    [
      'by a promise of another make',
      (revoked: boolean): Promise<boolean> =>
        Object.fromEntries([['then', (tell: (answer: boolean) => void) => tell(revoked)]]) as never,
    ],
  ])('may answer %s, and is asked each time, also for a remembered token', async (_, answer) => {
    const revoked = new Set<unknown>()
    const asked: unknown[] = []
    const one = await verifier({
      isRevoked: ({ jti }) => {
        asked.push(jti)
        return answer(revoked.has(jti))
      },
    })
    const token = await issuer.sign({ jti: 'one' })
    for (let time = 0; time < 3; time += 1) expect(await outcome(one, token)).toBe('accepted')
    revoked.add('one')
    expect(await outcome(one, token)).toBe('revoked')
    expect(await outcome(one, await issuer.sign({ jti: 'other' }))).toBe('accepted')
    expect(asked).toEqual(['one', 'one', 'one', 'one', 'other'])
    expect(one.outcomes()).toMatchObject({ accepted: 4, revoked: 1, unavailable: 0 })
  })

  it('is asked about good tokens only', async () => {
    const isRevoked = () => {
      throw new Error('asked')
    }
    const one = await verifier({ isRevoked })
    expect(await outcome(one, await issuer.sign({ expiresInSeconds: -5 }))).toBe('expired')
    expect(await outcome(one, `${(await issuer.sign()).slice(0, -8)}AAAAAAAA`)).toBe('signature')
  })

  it.each<[string, IsRevoked]>([
    [
      'throws',
      () => {
        throw new Error('the database of secrets is down')
      },
    ],
    ['rejects', () => Promise.reject(new Error('the database of secrets is down'))],
    ['never answers', () => new Promise(() => {})],
    ['answers undefined', () => undefined as unknown as boolean],
    ['answers null, later', async () => null as unknown as boolean],
    ['answers 0', () => 0 as unknown as boolean],
    ['answers "false"', () => 'false' as unknown as boolean],
  ])('decisions 3.35: that %s is 503, never 200', async (_, isRevoked) => {
    const one = await verifier({ isRevoked, isRevokedTimeoutMs: 20 })
    const told: Refusal[] = []
    const guard = authenticate(one, { onRefusal: (_req, refusal) => told.push(refusal) })
    const url = await listen(welcome(guard))
    const headers = { Authorization: `Bearer ${await issuer.sign()}` }
    for (let time = 0; time < 3; time += 1) {
      const answer = await fetch(url, { headers })
      expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('cache-control')]).toEqual([
        503,
        '1',
        'no-store',
      ])
      expect(await answer.text()).not.toContain('secrets')
    }
    expect(told).toEqual(Array(3).fill({ status: 503, reason: 'unavailable', claimed: {} }))
    expect(one.outcomes()).toMatchObject({ accepted: 0, unavailable: 3 })
  })

  it('has no more than 1000 questions open', async () => {
    let answer: (revoked: boolean) => void = () => {}
    const later = new Promise<boolean>((resolve) => {
      answer = resolve
    })
    const one = await verifier({ isRevoked: () => later, isRevokedTimeoutMs: 600_000 })
    const token = await issuer.sign()
    const waiting = Array.from({ length: 1003 }, () => outcome(one, token))
    await eventually(() => expect(one.outcomes().unavailable).toBe(3))
    answer(false)
    const outcomes = await Promise.all(waiting)
    expect(outcomes.filter((one) => one === 'accepted')).toHaveLength(1000)
    expect(await outcome(one, token)).toBe('accepted')
  })

  it('has no more than 1000 questions open, also those that were given up, until they are answered', async () => {
    const answers: ((revoked: boolean) => void)[] = []
    const isRevoked = () => new Promise<boolean>((resolve) => answers.push(resolve))
    const one = await verifier({ isRevoked, isRevokedTimeoutMs: 1 })
    const token = await issuer.sign()
    for (let round = 0; round < 3; round += 1) {
      const given = await Promise.all(Array.from({ length: 600 }, () => outcome(one, token)))
      expect(new Set(given)).toEqual(new Set(['JWT_CHECK_FAILED']))
    }
    expect(answers).toHaveLength(1000)
    for (const answer of answers.slice(0, 2)) answer(false)
    for (let round = 0; round < 4; round += 1) await outcome(one, token)
    expect(answers).toHaveLength(1002)
  })

  it('does not start with a limit of no time', async () => {
    await expect(verifier({ isRevokedTimeoutMs: 0 })).rejects.toMatchObject({ property: 'isRevokedTimeoutMs' })
  })
})
