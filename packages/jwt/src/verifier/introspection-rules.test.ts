import { describe, expect, it } from 'vitest'
import { issuer, renamed, stranger } from '../../tests/keys.ts'
import type { IntrospectionOptions } from './ask-introspection.ts'
import { createJwtVerifier } from './verifier.ts'
import type { JwtVerifierOptions } from './verifier-options.ts'

const a = renamed(issuer, { issuer: 'https://a.example' })
const b = renamed(stranger, { issuer: 'https://b.example' })
const both = [a, b].map(({ issuer, publicKeyPem }) => ({ issuer, publicKey: publicKeyPem }))
const now = Math.floor(Date.now() / 1000)

/** A verifier of both issuers, with an endpoint that answers with `facts` and counts. */
async function open(
  introspection: Partial<IntrospectionOptions>,
  facts: object,
  more: Partial<JwtVerifierOptions> = {},
) {
  const asked: string[] = []
  const one = await createJwtVerifier({
    issuers: both,
    introspection: { url: 'https://a.example/introspect', clientId: 'c', clientSecret: 's', ...introspection },
    fetch: (async (_url: unknown, { body }: { body: URLSearchParams }) => {
      asked.push(body.get('token') ?? '')
      return Response.json(facts)
    }) as unknown as typeof fetch,
    ...more,
  })
  const outcome = (token: string) =>
    Promise.resolve(one.verify(token)).then(
      () => 'accepted',
      ({ reason, code }: { reason?: string; code?: string }) => reason ?? code,
    )
  return { asked, outcome }
}

describe('decisions 3.36: what an answer adds about a verified JWT', () => {
  it.each<[object, string]>([
    [{}, 'accepted'],
    [{ iss: a.issuer, exp: now + 60 }, 'accepted'],
    [{ iss: b.issuer }, 'issuer'],
    [{ iss: null }, 'issuer'],
    [{ exp: now - 1 }, 'expired'],
    [{ exp: `${now + 60}` }, 'claim'],
    [{ exp: null }, 'claim'],
  ])('%j: %s', async (more, expected) => {
    const issuers = [a.issuer, b.issuer]
    const { outcome } = await open({ issuers, tokens: 'all' }, { active: true, ...more })
    expect(await outcome(await a.sign())).toBe(expected)
  })

  it('is allowed the same skew as the token', async () => {
    const options = { clockSkewSeconds: 60 }
    const { outcome } = await open({ issuers: [a.issuer], tokens: 'all' }, { active: true, exp: now - 1 }, options)
    expect(await outcome(await a.sign())).toBe('accepted')
  })
})

it('questions about invented opaque tokens do not shut out verified JWTs, nor these more than 200 others', async () => {
  let release: () => void = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const fetch = (async () => {
    await gate
    return Response.json({ active: true, iss: a.issuer, exp: now + 600, iat: now, sub: 'duke' })
  }) as unknown as typeof globalThis.fetch
  const { outcome } = await open({ tokens: 'all', timeoutMs: 600_000 }, {}, { issuers: both.slice(0, 1), fetch })
  const tokens = await Promise.all(Array.from({ length: 201 }, (_, n) => a.sign({ jti: `${n}` })))
  const invented = Array.from({ length: 200 }, (_, n) => outcome(`invented${n}`))
  expect(await outcome('one-more')).toBe('JWT_CHECK_FAILED')
  const good = tokens.map(outcome)
  expect(await good[200]).toBe('JWT_CHECK_FAILED')
  release()
  expect(new Set(await Promise.all([...invented, ...good.slice(0, 200)]))).toEqual(new Set(['accepted']))
})

describe('decisions 3.36: an introspection endpoint speaks for the issuers that it is named for', () => {
  const facts = (iss: string) => ({ active: true, iss, exp: now + 600, iat: now, sub: 'duke' })

  it('so an opaque token of another issuer is refused, though its endpoint vouches for it', async () => {
    const issuers = [a.issuer]
    expect(await (await open({ issuers }, facts(a.issuer))).outcome('opaque')).toBe('accepted')
    expect(await (await open({ issuers }, facts(b.issuer))).outcome('opaque')).toBe('issuer')
    expect(await (await open({ issuers: [a.issuer, b.issuer] }, facts(b.issuer))).outcome('opaque')).toBe('accepted')
  })

  it('so it is not shown the JWTs of another one', async () => {
    const { asked, outcome } = await open({ issuers: [a.issuer], tokens: 'all' }, { active: false })
    const token = await a.sign()
    expect(await outcome(token)).toBe('inactive')
    expect(await outcome(await b.sign())).toBe('accepted')
    expect(asked).toEqual([token])
  })

  it('which need no name when there is only one', async () => {
    const { outcome } = await open({}, facts(a.issuer), { issuers: both.slice(0, 1) })
    expect(await outcome('opaque')).toBe('accepted')
  })

  it.each([[undefined], [[]], [['https://c.example']], [['https://a.example', '']]])(
    'does not start with several issuers and %j for it',
    async (issuers) => {
      const starting = open(issuers === undefined ? {} : { issuers }, {})
      await expect(starting).rejects.toMatchObject({ property: 'introspection.issuers' })
    },
  )
})
