import { sign } from 'node:crypto'
import { LIMITS } from '@taproom/core/limits'
import { describe, expect, it } from 'vitest'
import { rsaPair, stranger } from '../../tests/keys.ts'
import { createVerification, encode } from '../../tests/verification.ts'
import { InvalidTokenError, VerifierBusyError } from '../errors.ts'
import type { JwtVerifier } from '../verifier/verifier.ts'
import { MAX_CHECKS } from './signed-token.ts'

const { issuer, accepted, refusal, sign: signClaims, verifier } = await createVerification()
const { privateKey, publicKey } = rsaPair
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()

/** Signs a header and claims as they are written. */
function signText(header: string, payload: string): string {
  const input = `${Buffer.from(header).toString('base64url')}.${Buffer.from(payload).toString('base64url')}`
  return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`
}

const head = '{"alg":"RS256"}'
const now = () => Math.floor(Date.now() / 1000)
const times = `"exp":${now() + 3600},"iat":${now()}`
const claims = (more = '') => `{"iss":"${issuer.issuer}",${times},"upn":"duke"${more}}`
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const refusalOf = (header: string, payload: string) => refusal(signText(header, payload), { publicKey: pem })

describe('a well signed hostile token', () => {
  it.each([LIMITS.tokenDepth, 6000])('with %i arrays inside each other in its claims is malformed', async (levels) => {
    expect(await refusalOf(head, claims(`,"x":${nested(levels)}`))).toBe('malformed')
  })

  it('with arrays as deep as is allowed is accepted', async () => {
    const token = signText(head, claims(`,"x":${nested(LIMITS.tokenDepth - 1)}`))
    expect(await accepted(token, { publicKey: pem })).toHaveProperty('x')
  })

  it('with 6000 arrays inside each other in its header is malformed', async () => {
    expect(await refusalOf(`{"alg":"RS256","x":${nested(6000)}}`, claims())).toBe('malformed')
  })

  it('is malformed when it is longer than headers can be', async () => {
    const fits = signText(head, claims(`,"x":"${'x'.repeat(11_000)}"`))
    expect(await accepted(fits, { publicKey: pem })).toHaveProperty('x')
    expect(await refusalOf(head, claims(`,"x":"${'x'.repeat(LIMITS.tokenBytes)}"`))).toBe('malformed')
  })

  it.each([
    '{"alg":"RS256","alg":"RS256"}',
    '{"alg":"none","alg":"RS256"}',
    '{"alg":"RS256","\\u0061lg":"RS256"}',
    '{"alg":"RS256","x":{"y":1,"y":1}}',
    '{"alg":"RS256","__proto__":1,"__proto__":2}',
  ])('that repeats a member in its header %s is malformed', async (header) => {
    expect(await refusalOf(header, claims())).toBe('malformed')
  })

  it.each([',"groups":["a"],"groups":["Subscriber"]', ',"upn":"root"', ',"x":[{"a":1,"a":2}]'])(
    'that repeats a member in its claims, %s, is malformed',
    async (more) => {
      expect(await refusalOf(head, claims(more))).toBe('malformed')
    },
  )

  it.each(['"a:b":":"', '"x":"\\\\","y":"\\":"', '"x":{},"y":[{},{"x":1}]', '"__proto__":{"x":1}'])(
    'is not taken for one that repeats members because of %s',
    async (more) => {
      expect(await accepted(signText(head, claims(`,${more}`)), { publicKey: pem })).toHaveProperty('upn')
    },
  )

  it('with an unencoded payload that it does not announce (RFC 7797) is malformed', async () => {
    expect(await refusalOf('{"alg":"RS256","b64":false}', claims())).toBe('malformed')
    expect(await accepted(signText('{"alg":"RS256","b64":true}', claims()), { publicKey: pem })).toHaveProperty('upn')
  })

  it.each(['exp', 'iat', 'nbf'])('with a time beyond all numbers in %s has an invalid claim', async (claim) => {
    const text = `{"iss":"${issuer.issuer}","upn":"duke","exp":${now() + 60},"iat":${now()}`
    const payload = text.includes(`"${claim}"`)
      ? `${text}}`.replace(new RegExp(`"${claim}":\\d+`), `"${claim}":1e400`)
      : `${text},"${claim}":1e400}`
    expect(await refusalOf(head, payload)).toBe('claim')
  })

  it.each([
    ['of every object', '__proto__'],
    ['of a path', '../../etc/passwd'],
    ['of an SQL injection', "' OR 1=1 --"],
    ['of 10,000 characters', 'k'.repeat(10_000)],
  ])('with the kid %s finds no key of that name', async (_, kid) => {
    const set = JSON.stringify({ keys: [issuer.jwk] })
    expect(await refusal(issuer.sign({}, { kid }), { publicKey: set })).toBe('key')
  })

  it('with thousands of groups gives the caller just these', async () => {
    const groups = Array.from({ length: 2000 }, () => 'g')
    const token = signText(head, claims(`,"groups":${JSON.stringify(groups)}`))
    expect((await accepted(token, { publicKey: pem })).groups).toHaveLength(2000)
  })
})

describe('what a refused token says of itself', () => {
  const claimedBy = async (token: string) => {
    const error: unknown = await Promise.resolve((await verifier()).verify(token)).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(InvalidTokenError)
    return (error as InvalidTokenError).claimed
  }

  it('is its kid, jti and sub, as far as they are texts', async () => {
    const token = await issuer.sign({ exp: 1, jti: 'j', sub: 's' }, { kid: 'k' })
    expect(await claimedBy(token)).toEqual({ kid: 'k', jti: 'j', sub: 's' })
    expect(await claimedBy(await issuer.sign({ exp: 1, jti: 5, sub: [] }, { kid: 'k' }))).toEqual({ kid: 'k' })
  })

  it('is nothing when it can not be read', async () => {
    expect(await claimedBy('x.y.z')).toEqual({})
  })
})

describe('forged signatures', () => {
  const forge = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => stranger.sign({ user: `u${n}` })))
  const reasonOf = (one: Pick<JwtVerifier, 'verify'>, token: string) =>
    Promise.resolve(one.verify(token)).then(
      () => 'accepted',
      (error: unknown) => (error instanceof InvalidTokenError ? error.reason : error),
    )

  it('are all refused, and good tokens accepted', async () => {
    const one = await verifier()
    const [good, ...forged] = [await signClaims(), ...(await forge(20))]
    for (const token of forged) expect(await reasonOf(one, token)).toBe('signature')
    expect(await reasonOf(one, good)).toBe('accepted')
    expect(one.outcomes()).toMatchObject({ signature: forged.length, accepted: 1 })
  })

  it('that come again are refused without another check, until the keys change', async () => {
    const one = await verifier()
    const [forged = ''] = await forge(1)
    expect(await reasonOf(one, forged)).toBe('signature')
    // More than may wait for a check.
    const again = await Promise.all(Array.from({ length: MAX_CHECKS + 5 }, () => reasonOf(one, forged)))
    expect(new Set(again)).toEqual(new Set(['signature']))
  })

  it('beyond what may wait are answered with busy, and others wait no longer than before', async () => {
    const one = await verifier({ cacheSize: 0 })
    const [forged = ''] = await forge(1)
    const good = await signClaims()
    expect(await reasonOf(one, forged)).toBe('signature')
    const answers = Array.from({ length: MAX_CHECKS + 5 }, () => reasonOf(one, forged))
    await expect(one.verify(good)).rejects.toBeInstanceOf(VerifierBusyError)
    const reasons = await Promise.all(answers)
    expect(reasons.filter((reason) => reason === 'signature')).toHaveLength(MAX_CHECKS)
    expect(reasons.filter((reason) => reason instanceof VerifierBusyError)).toHaveLength(5)
    expect(await reasonOf(one, good)).toBe('accepted')
    expect(one.outcomes()).toMatchObject({ busy: 6, accepted: 1 })
  })

  it('are not looked at when something that costs less is wrong with the token', async () => {
    const [header, , signature] = (await signClaims()).split('.')
    const expired = encode({ iss: issuer.issuer, exp: 5, iat: 4 })
    expect(await refusal(`${header}.${expired}.${signature}`)).toBe('expired')
    expect(await refusal(`${header}.${encode({ iss: 'https://other.example' })}.${signature}`)).toBe('issuer')
  })
})
