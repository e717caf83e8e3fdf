import { describe, expect, it } from 'vitest'
import * as keys from '../../tests/keys.ts'
import { encode, keep } from '../../tests/verification.ts'
import { InvalidTokenError } from '../errors.ts'
import { createDevIssuer } from '../testing/dev-issuer.ts'
import { createJwtVerifier, type JwtVerifier } from './verifier.ts'
import type { IssuerOptions } from './verifier-options.ts'

/** Both call their key by the same name, as two issuers who know nothing of each other may. */
const a = keys.renamed(keys.issuer, { issuer: 'https://a.example', kid: 'key-1' })
const b = keys.renamed(keys.stranger, { issuer: 'https://b.example', kid: 'key-1' })
const stranger = await createDevIssuer({ issuer: 'https://a.example', kid: 'key-1' })
const es = await createDevIssuer({ issuer: 'https://es.example', algorithm: 'ES256' })

const set = (...jwks: object[]) => JSON.stringify({ keys: jwks })
const own = { issuer: a.issuer, publicKey: set(a.jwk) }
const two = (more: Partial<IssuerOptions> = {}): Promise<JwtVerifier> =>
  createJwtVerifier({ issuers: [own, { issuer: b.issuer, publicKey: set(b.jwk), ...more }] })

async function refusal(verifier: JwtVerifier, token: string | Promise<string>): Promise<string> {
  const error: unknown = await Promise.resolve(verifier.verify(await token)).catch((thrown: unknown) => thrown)
  return error instanceof InvalidTokenError ? error.reason : `not refused: ${String(error)}`
}

describe('decisions 3.32: several issuers with keys of their own', () => {
  it('are each accepted with their own keys', async () => {
    const verifier = await two()
    expect((await verifier.verify(await a.sign())).claims.iss).toBe(a.issuer)
    expect((await verifier.verify(await b.sign())).claims.iss).toBe(b.issuer)
  })

  it('decisions 3.32: may not sign for each other', async () => {
    const verifier = await two()
    expect(await refusal(verifier, a.sign({ iss: b.issuer }))).toBe('signature')
    expect(await refusal(verifier, b.sign({ iss: a.issuer }))).toBe('signature')
    expect(await refusal(verifier, stranger.sign())).toBe('signature')
  })

  it('do not lend a key by its name either, nor by having none', async () => {
    const named = { ...b.jwk, kid: 'only-b' }
    const verifier = await two({ publicKey: set(named) })
    expect(await refusal(verifier, b.sign({ iss: a.issuer }, { kid: 'only-b' }))).toBe('key')
    const unnamed = await two({ publicKey: b.publicKeyPem })
    expect(await refusal(unnamed, b.sign({ iss: a.issuer }, { kid: undefined } as object))).toBe('signature')
  })

  it.each([
    'https://a.example/',
    'HTTPS://a.example',
    'https://A.example',
    'https://a.example ',
    'https://a.example\u0000',
    'https://a.example.evil.example',
    '',
    ['https://a.example'],
    { 'https://a.example': 1 },
    null,
    0,
    '__proto__',
  ])('take iss character by character: %j is nobody', async (iss) => {
    const verifier = await two()
    expect(await refusal(verifier, a.sign({ iss }))).toBe('issuer')
    expect(await refusal(verifier, b.sign({ iss }))).toBe('issuer')
  })

  it('go by iss of the claims, whatever the header says', async () => {
    const verifier = await two()
    const header = { iss: a.issuer, jku: 'https://b.example/jwks', jwk: b.jwk, x5u: 'https://b.example' }
    expect(await refusal(verifier, b.sign({ iss: a.issuer }, header))).toBe('signature')
  })

  it('refuse claims that were exchanged for those of the other issuer', async () => {
    const verifier = await two()
    const [header, , signature] = (await b.sign()).split('.')
    const now = Math.floor(Date.now() / 1000)
    const payload = encode({ iss: a.issuer, sub: 'root', groups: ['Subscriber'], exp: now + 60, iat: now })
    expect(await refusal(verifier, `${header}.${payload}.${signature}`)).toBe('signature')
  })

  it('decisions 3.32: have algorithms of their own', async () => {
    const verifier = await two({ issuer: es.issuer, publicKey: set(es.jwk), algorithm: 'ES256' })
    expect(await verifier.verify(await es.sign())).toHaveProperty('name')
    expect(await refusal(verifier, es.sign({ iss: a.issuer }))).toBe('algorithm')
    expect(await refusal(verifier, a.sign({ iss: es.issuer }))).toBe('algorithm')
  })

  it('decisions 3.32: have audiences of their own', async () => {
    const verifier = await two({ audiences: ['taproom-b'] })
    expect(await verifier.verify(await a.sign({ aud: 'anything' }))).toHaveProperty('name')
    expect(await refusal(verifier, b.sign({ aud: 'anything' }))).toBe('audience')
    expect(await verifier.verify(await b.sign({ aud: ['x', 'taproom-b'] }))).toHaveProperty('name')
  })

  it('may stand beside issuers that share the keys of the verifier', async () => {
    const issuers = ['https://c.example', 'https://d.example', own]
    const verifier = await createJwtVerifier({ publicKey: b.publicKeyPem, issuers })
    for (const iss of ['https://c.example', 'https://d.example'])
      expect((await verifier.verify(await b.sign({ iss }))).claims.iss).toBe(iss)
    expect(await verifier.verify(await a.sign())).toHaveProperty('name')
    expect(await refusal(verifier, b.sign({ iss: a.issuer }))).toBe('signature')
    expect(await refusal(verifier, a.sign({ iss: 'https://c.example' }))).toBe('signature')
  })

  it('lose their remembered tokens with their own keys only', async () => {
    let jwks = [b.jwk]
    const fetch = (async () => Response.json({ keys: jwks })) as typeof globalThis.fetch
    using verifier = await createJwtVerifier({
      issuers: [own, { issuer: b.issuer, publicKeyLocation: 'https://b.example/jwks' }],
      fetch,
    })
    const [ofA, ofB] = [await a.sign({ expiresInSeconds: 99_999 }), await b.sign({ expiresInSeconds: 99_999 })]
    const [keptA] = [await keep(verifier, ofA), await keep(verifier, ofB)]
    // A token with an unknown key makes the keys of its issuer be read again.
    jwks = [{ ...b.jwk, kid: 'other' }]
    expect(await refusal(verifier, b.sign({}, { kid: 'unknown' }))).toBe('key')
    expect(await refusal(verifier, ofB)).toBe('key')
    expect(await verifier.verify(ofA)).toBe(keptA)
  })

  it('are each a line of the health check, DOWN while one has no keys', async () => {
    const fetch = (async () => new Response('', { status: 500 })) as typeof globalThis.fetch
    const issuers = [own, { issuer: b.issuer, publicKeyLocation: 'https://b.example/jwks?x=1' }]
    using verifier = await createJwtVerifier({ issuers, fetch })
    expect(await refusal(verifier, b.sign())).toBe('key')
    expect(verifier.check.check()).toEqual({
      status: 'DOWN',
      data: {
        'https://a.example': '1 from inline',
        'https://b.example':
          '0 from https://b.example/jwks (GET https://b.example/jwks: expected status 200 but got 500)',
        keys: 1,
      },
    })
    expect(await verifier.verify(await a.sign())).toHaveProperty('name')
  })

  it.each<[string, Parameters<typeof createJwtVerifier>[0], string]>([
    ['an issuer without keys', { issuers: [{ issuer: 'i', name: 'x' }] }, 'mp.jwt.verify.x.publickey.location'],
    ['two places of keys', { issuers: [{ ...own, name: 'x', discovery: true }] }, 'mp.jwt.verify.x.discovery'],
    ['an issuer of no name', { issuers: [{ ...own, issuer: '', name: 'x' }] }, 'mp.jwt.verify.x.issuer'],
    ['an issuer twice', { issuers: [own, own] }, 'mp.jwt.verify.issuer'],
    ['one also by its name alone', { issuers: [own, a.issuer], publicKey: a.publicKeyPem }, 'mp.jwt.verify.issuer'],
    ['a key that is of no issuer', { issuers: [own], publicKey: a.publicKeyPem }, 'mp.jwt.verify.issuer'],
    ['garbage as key', { issuers: [{ issuer: 'i', name: 'x', publicKey: '?' }] }, 'mp.jwt.verify.x.publickey'],
    ['a name without a key', { issuers: [own, 'https://c.example'] }, 'mp.jwt.verify.publickey.location'],
    ['audiences that are none', { issuers: [{ ...own, name: 'x', audiences: [] }] }, 'mp.jwt.verify.x.audiences'],
  ])('do not start with %s', async (_, options, property) => {
    await expect(createJwtVerifier(options)).rejects.toMatchObject({ code: 'JWT_CONFIG_INVALID', property })
  })
})
