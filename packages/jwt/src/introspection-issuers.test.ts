import { describe, expect, it } from 'vitest'
import type { IntrospectionOptions } from './ask-introspection.ts'
import { createDevIssuer } from './dev-issuer.ts'
import { createJwtVerifier } from './verifier.ts'
import type { JwtVerifierOptions } from './verifier-options.ts'

const a = await createDevIssuer({ issuer: 'https://a.example' })
const b = await createDevIssuer({ issuer: 'https://b.example' })
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
    one.verify(token).then(
      () => 'accepted',
      ({ reason, code }: { reason?: string; code?: string }) => reason ?? code,
    )
  return { asked, outcome }
}

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
