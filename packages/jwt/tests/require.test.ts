import { startHttpServer } from '@taproom/testkit'
import express from 'express'
import { describe, expect, it } from 'vitest'
import {
  authenticate,
  callerOf,
  hasRole,
  JwtConfigError,
  type Refusal,
  requireAudience,
  requireRole,
  requireScope,
} from '../src/index.ts'
import type { DevClaims } from '../src/testing/index.ts'
import { serving, welcome } from './serve.ts'
import { createVerification } from './verification.ts'

const { issuer, verifier, accepted, refusal } = await createVerification()
const listen = serving()

describe('decisions 3.34: requireScope', async () => {
  const told: Refusal[] = []
  const allowed = authenticate(await verifier(), { realm: 'beer', onRefusal: (_, refused) => told.push(refused) })
  const url = listen(welcome(allowed, requireScope('beers:read', 'beers:write')))
  const ask = async (claims: DevClaims) =>
    fetch(await url, { headers: { Authorization: `Bearer ${await issuer.sign(claims)}` } })

  it.each<DevClaims>([
    { scope: 'beers:read beers:write' },
    { scope: 'x  beers:write beers:read ' },
    { scp: ['beers:write', 'beers:read'] },
    { scp: 'beers:write beers:read' },
    { scope: ['beers:write', 'beers:read'] },
  ])('lets %j pass', async (claims) => {
    expect((await ask(claims)).status).toBe(200)
  })

  it.each<DevClaims>([
    {},
    { scope: 'beers:read' },
    { scope: 'beers:write' },
    { scope: 'beers:read,beers:write' },
    { scope: 'BEERS:READ BEERS:WRITE' },
    { scope: 'beers:read\tbeers:write' },
    { scope: '', scp: ['beers:write', 'beers:read'] },
    { scope: 'beers:*' },
    { scope: { 'beers:read': 1, 'beers:write': 1 } },
    { scope: [['beers:read', 'beers:write']] },
    { scp: 7 },
    { groups: ['beers:read', 'beers:write'] },
  ])('refuses %j with the scopes that are needed (RFC 6750, section 3.1)', async (claims) => {
    const answer = await ask(claims)
    expect(answer.status).toBe(403)
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer realm="beer", error="insufficient_scope", scope="beers:read beers:write"',
    )
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.text()).toBe('Forbidden')
    expect(told.at(-1)).toMatchObject({ status: 403, reason: 'scope', claimed: { sub: 'duke' } })
  })

  it('is 401 without a token', async () => {
    expect((await fetch(await url)).status).toBe(401)
  })

  it.each(['', 'a b', 'a"b', 'a\\b', 'ä', 'a\r\nX: y'])('is not to be had for %j', (scope) => {
    expect(() => requireScope(scope)).toThrow(JwtConfigError)
  })

  it('is not to be had for nothing', () => {
    expect(() => requireScope(...([] as unknown as ['a']))).toThrow(JwtConfigError)
  })
})

describe('decisions 3.34: requireAudience', async () => {
  const url = listen(welcome(authenticate(await verifier()), requireAudience('beers', 'ales')))
  const ask = async (claims: DevClaims) =>
    fetch(await url, { headers: { Authorization: `Bearer ${await issuer.sign(claims)}` } })

  it.each([['beers'], [['x', 'ales']]])('lets %j pass', async (aud) => {
    expect((await ask({ aud })).status).toBe(200)
  })

  it.each(['beer', 'beers ', ['x'], [], undefined, { beers: 1 }, [['beers']]])('refuses %j with 401', async (aud) => {
    const answer = await ask({ aud })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token", error_description="The audience')
  })

  it('is not to be had for nothing', () => {
    expect(() => requireAudience('')).toThrow(JwtConfigError)
  })
})

describe('decisions 3.34: token types', () => {
  const signed = (typ: string | undefined, claims?: DevClaims) => issuer.sign(claims, { typ } as object)

  it('are a list, without regard to case, where "" is a token without one', async () => {
    expect(await accepted(signed('AT+JWT'), { tokenTypes: ['at+jwt'] })).toHaveProperty('iss')
    for (const typ of ['JWT', '', undefined, 'id+jwt', 'application/at+jwt'])
      expect(await refusal(signed(typ), { tokenTypes: ['at+jwt'] })).toBe('type')
    expect(await accepted(signed(undefined), { tokenTypes: [''] })).toHaveProperty('iss')
    expect(await refusal(signed(''), { tokenTypes: [''] })).toBe('type')
    expect(await refusal(signed('JWT'), { tokenTypes: [''] })).toBe('type')
  })

  const profile = { tokenProfile: 'rfc9068', audiences: ['taproom'] } as const
  it('decisions 3.34: of the profile rfc9068 are at+jwt, with the claims of an access token', async () => {
    for (const typ of ['at+jwt', 'application/at+jwt', 'AT+jwt'])
      expect(await accepted(signed(typ, { client_id: 'c' }), profile)).toHaveProperty('iss')
    for (const typ of ['JWT', undefined, 'id_token+jwt', 'logout+jwt', 'dpop+jwt', 'secevent+jwt'])
      expect(await refusal(signed(typ, { client_id: 'c' }), profile)).toBe('type')
  })

  it.each(['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti'])('of that profile must have %s', async (claim) => {
    const refused = { iss: 'issuer', aud: 'audience' }[claim] ?? 'claim'
    const without = (value: unknown) => signed('at+jwt', { client_id: 'c', [claim]: value })
    expect(await refusal(without(undefined), profile)).toBe(refused)
    expect(await refusal(without(null), profile)).toBe(refused)
    expect(await refusal(without(''), profile)).toBe(refused)
  })

  it('an ID token is no access token there, whatever it holds', async () => {
    const claims = { client_id: 'c', nonce: 'n', at_hash: 'h', azp: 'taproom' }
    expect(await refusal(signed('JWT', claims), profile)).toBe('type')
  })

  it.each([
    [{ tokenProfile: 'rfc9068' }, 'mp.jwt.verify.audiences'],
    [{ ...profile, tokenTypes: ['JWT'] }, 'tokenTypes'],
    [{ tokenTypes: [] }, 'tokenTypes'],
    [{ tokenProfile: 'oidc' as 'rfc9068' }, 'tokenProfile'],
  ] as const)('do not start with %j', async (options, property) => {
    await expect(verifier(options)).rejects.toMatchObject({ property })
  })
})

describe('hasRole', () => {
  const guarded = async () => authenticate(await verifier(), { publicPaths: ['/'] })

  it.each<[string, DevClaims | undefined, boolean]>([
    ['with the role', { groups: ['Clerk', 'Admin'] }, true],
    ['without roles', { groups: [] }, false],
    ['with a role that begins so', { groups: ['Administrator'] }, false],
    ['with the role in another case', { groups: ['ADMIN'] }, false],
    ['with the role in one text', { groups: 'Admin' as unknown as string[] }, false],
    ['without a token, on a public path,', undefined, false],
  ])('decides about a caller %s', async (_case, claims, expected) => {
    const app = express().get('/', await guarded(), (req, res) => void res.json(hasRole(callerOf(req), 'Admin')))
    await using server = await startHttpServer(app)
    const headers: Record<string, string> = claims ? { Authorization: `Bearer ${await issuer.sign(claims)}` } : {}
    expect(await (await fetch(server.url, { headers })).json()).toBe(expected)
  })
})

it('requireRole takes a list of roles, which must not be empty', async () => {
  const roles: string[] = ['Clerk', 'Owner']
  const url = await listen(welcome(authenticate(await verifier()), requireRole(...roles)))
  const headers = { Authorization: `Bearer ${await issuer.sign({ groups: ['Clerk'] })}` }
  expect((await fetch(url, { headers })).status).toBe(200)
  expect(() => requireRole(...roles.slice(2))).toThrow(JwtConfigError)
})
