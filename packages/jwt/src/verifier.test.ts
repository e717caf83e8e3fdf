import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevIssuer, type DevClaims, type DevIssuer } from './dev-issuer.ts'
import { InvalidTokenError, JwtConfigError } from './errors.ts'
import type { RefusalReason } from './refusal.ts'
import { createJwtVerifier } from './verifier.ts'
import type { JwtVerifierOptions } from './verifier-options.ts'

let issuer: DevIssuer
let stranger: DevIssuer
let folder: string
beforeAll(async () => {
  issuer = await createDevIssuer()
  stranger = await createDevIssuer()
  folder = await mkdtemp(join(tmpdir(), 'jwt-'))
})
afterAll(() => rm(folder, { recursive: true }))

const now = () => Math.floor(Date.now() / 1000)
const verifier = (options: Partial<JwtVerifierOptions> = {}) =>
  createJwtVerifier({ publicKey: issuer.publicKeyPem, issuers: [issuer.issuer], ...options })
const sign = (claims?: DevClaims) => issuer.sign(claims)
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

async function refusal(
  token: string | Promise<string>,
  options: Partial<JwtVerifierOptions> = {},
): Promise<RefusalReason> {
  const error: unknown = await (await verifier(options)).verify(await token).catch((thrown: unknown) => thrown)
  if (error instanceof InvalidTokenError) return error.reason
  throw new Error('the token was not refused', { cause: error })
}

const accepted = async (token: string | Promise<string>, options: Partial<JwtVerifierOptions> = {}) =>
  (await (await verifier(options)).verify(await token)).claims

describe('a verified token', () => {
  it('gives every claim of contract 2.1', async () => {
    expect(await accepted(sign({ user: 'duke', groups: ['Subscriber', 'Tester'] }))).toEqual({
      sub: 'duke',
      aud: 'taproom',
      upn: 'duke@taproom.example',
      birthdate: '2001-07-13',
      auth_time: expect.any(Number),
      iss: issuer.issuer,
      roleMappings: { group2: 'Group2MappedRole' },
      groups: ['Subscriber', 'Tester'],
      preferred_username: 'duke',
      exp: expect.any(Number),
      iat: expect.any(Number),
      jti: expect.any(String),
    })
  })

  it('names its principal by upn, else preferred_username, else sub', async () => {
    const name = async (claims: DevClaims) => (await (await verifier()).verify(await sign(claims))).name
    expect(await name({ upn: 'u', preferred_username: 'p', sub: 's' })).toBe('u')
    expect(await name({ upn: undefined, preferred_username: 'p', sub: 's' })).toBe('p')
    expect(await name({ upn: undefined, preferred_username: undefined, sub: 's' })).toBe('s')
  })

  it('can not be changed by one request for the next', async () => {
    const claims = await accepted(sign())
    expect(Object.isFrozen(claims)).toBe(true)
    expect(Object.isFrozen(claims.groups)).toBe(true)
    expect(Object.isFrozen(claims.roleMappings)).toBe(true)
  })

  it.each([['text'], [5], [null], [{ 0: 'Subscriber' }], [['Subscriber', 5]], [undefined]])(
    'decisions 1.11: groups %j give no role',
    async (groups) => {
      expect((await accepted(sign({ groups }))).groups).toEqual([])
    },
  )

  it('decisions 1.12: roleMappings have no effect on groups', async () => {
    const claims = await accepted(sign({ groups: ['g'], roleMappings: { g: 'Subscriber' } }))
    expect(claims.groups).toEqual(['g'])
  })

  it.each([[5], [null], [true], [['duke']], [{}]])(
    'lead: a preferred_username of %j counts as absent',
    async (value) => {
      expect(await accepted(sign({ preferred_username: value }))).not.toHaveProperty('preferred_username')
    },
  )

  it('drops known claims of another type than promised and keeps unknown ones as they are', async () => {
    const odd = { birthdate: 5, auth_time: 'now', jti: null, roleMappings: { a: 5 }, aud: [5], sub: {} }
    const claims = await accepted(sign({ ...odd, mine: { deep: [1] } }))
    for (const claim of Object.keys(odd)) expect(claims).not.toHaveProperty(claim)
    expect(claims['mine']).toEqual({ deep: [1] })
  })
})

describe('a refused token', () => {
  it('is malformed unless it is three Base64URL parts', async () => {
    const token = await sign()
    const [header = '', payload = '', signature = ''] = token.split('.')
    for (const bad of [
      '',
      'x',
      '..',
      `${header}.${payload}`,
      `${header}.${payload}.`,
      `${token}.${signature}`,
      `${token}=`,
      ` ${token}`,
      `${token} `,
      `${header}.${payload} .${signature}`,
      `${encode('text')}.${payload}.${signature}`,
      `bm90IGpzb24.${payload}.${signature}`,
    ]) {
      expect(await refusal(bad)).toBe('malformed')
    }
  })

  it('is malformed with a payload that is no JSON object', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    for (const payload of ['null', '[]', '5', '"text"', 'not json']) {
      const input = `${encode({ alg: 'RS256' })}.${Buffer.from(payload).toString('base64url')}`
      const token = `${input}.${createSign('RSA-SHA256').update(input).sign(privateKey, 'base64url')}`
      const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
      expect(await refusal(token, { publicKey: pem })).toBe('malformed')
    }
  })

  it('has the wrong signature when any part was modified', async () => {
    const [header, , signature] = (await sign()).split('.')
    const [, payload] = (await sign({ groups: ['Admin'] })).split('.')
    expect(await refusal(`${header}.${payload}.${signature}`)).toBe('signature')
    expect(await refusal(stranger.sign())).toBe('signature')
  })

  it('has an algorithm that is not accepted: none, HS256 with the public key, another RSA one', async () => {
    const payload = (await sign()).split('.')[1]
    const hmacInput = `${encode({ alg: 'HS256', typ: 'JWT' })}.${payload}`
    const hmac = createHmac('sha256', issuer.publicKeyPem).update(hmacInput).digest('base64url')
    expect(await refusal(`${encode({ alg: 'none' })}.${payload}.AA`)).toBe('algorithm')
    expect(await refusal(`${encode({})}.${payload}.AA`)).toBe('algorithm')
    expect(await refusal(`${hmacInput}.${hmac}`)).toBe('algorithm')
    expect(await refusal(`${encode({ alg: 'RS512' })}.${payload}.AA`)).toBe('algorithm')
    expect(await refusal((await createDevIssuer({ algorithm: 'ES256' })).sign())).toBe('algorithm')
  })

  it('decisions 1.10: typ may be absent, JWT or at+jwt in any case, nothing else', async () => {
    for (const typ of ['JWT', 'jwt', 'at+jwt', 'AT+JWT']) await accepted(issuer.sign({}, { typ }))
    const { kid } = issuer.jwk
    const bare = await issuer.sign({}, { typ: undefined, kid } as object)
    expect(await accepted(bare)).toHaveProperty('iss')
    for (const typ of ['JWS', '', 'at+jwt2', 'application/jwt'])
      expect(await refusal(issuer.sign({}, { typ }))).toBe('type')
    expect(await refusal(issuer.sign({}, { typ: 5 } as object))).toBe('type')
  })

  it('has a critical header that is not understood, or a kid that is no text', async () => {
    const [, payload, signature] = (await sign()).split('.')
    const critical = encode({ alg: 'RS256', crit: ['exp'], exp: 1 })
    expect(await refusal(`${critical}.${payload}.${signature}`)).toBe('malformed')
    expect(await refusal(issuer.sign({}, { kid: 5 } as object))).toBe('malformed')
  })

  it('brings its own key and is not listened to', async () => {
    const fetched: unknown[] = []
    const spy = ((url: unknown) => {
      fetched.push(url)
      return Promise.reject(new Error('not wanted'))
    }) as typeof fetch
    const header = { jwk: stranger.jwk, jku: 'http://127.0.0.1:9/keys', x5u: 'http://127.0.0.1:9/cert' }
    expect(await refusal(stranger.sign({}, header), { fetch: spy })).toBe('signature')
    expect(fetched).toEqual([])
  })

  it('names another issuer, or none', async () => {
    for (const iss of ['https://other.example', `${issuer.issuer}/`, '', undefined, 5, [issuer.issuer]]) {
      expect(await refusal(sign({ iss }))).toBe('issuer')
    }
  })

  it('has expired', async () => {
    expect(await refusal(sign({ expiresInSeconds: -1 }))).toBe('expired')
    expect(await refusal(sign({ exp: now() }))).toBe('expired')
  })

  it('decisions 1.8: has expired ten seconds ago, with the default skew of 0', async () => {
    const token = sign({ expiresInSeconds: -10 })
    expect(await refusal(token)).toBe('expired')
    expect(await accepted(token, { clockSkewSeconds: 30 })).toHaveProperty('exp')
  })

  it('lacks exp or iat, or has them as text', async () => {
    for (const claim of ['exp', 'iat']) {
      expect(await refusal(sign({ [claim]: undefined }))).toBe('claim')
      expect(await refusal(sign({ [claim]: String(now() + 60) }))).toBe('claim')
      expect(await refusal(sign({ [claim]: null }))).toBe('claim')
    }
  })

  it('decisions 1.9: was issued after its end, or more than 60 s in the future', async () => {
    expect(await refusal(sign({ iat: now() + 50, exp: now() + 40 }))).toBe('claim')
    expect(await refusal(sign({ iat: now() + 90 }))).toBe('not_yet_valid')
    expect(await accepted(sign({ iat: now() + 30 }))).toHaveProperty('iat')
  })

  it('is not valid yet', async () => {
    expect(await refusal(sign({ nbf: now() + 30 }))).toBe('not_yet_valid')
    expect(await refusal(sign({ nbf: 'soon' }))).toBe('claim')
    expect(await accepted(sign({ nbf: now() + 30 }), { clockSkewSeconds: 60 })).toHaveProperty('nbf')
  })

  it('decisions 1.14: is not one that lives for years: only mp.jwt.verify.token.age limits a life', async () => {
    expect(await accepted(sign({ expiresInSeconds: 10 * 365 * 86_400 }))).toHaveProperty('exp')
  })

  it('is older than mp.jwt.verify.token.age', async () => {
    const token = sign({ iat: now() - 100 })
    expect(await refusal(token, { maxTokenAgeSeconds: 90 })).toBe('too_old')
    expect(await accepted(token, { maxTokenAgeSeconds: 120 })).toHaveProperty('iat')
    expect(await accepted(token, { maxTokenAgeSeconds: 90, clockSkewSeconds: 20 })).toHaveProperty('iat')
  })

  it('decisions 1.10: is for another audience, when mp.jwt.verify.audiences is set', async () => {
    const audiences = ['mine', 'ours']
    expect(await accepted(sign({ aud: 'other' }))).toHaveProperty('aud')
    expect(await accepted(sign({ aud: undefined }))).not.toHaveProperty('aud')
    for (const aud of ['ours', ['other', 'mine']])
      expect(await accepted(sign({ aud }), { audiences })).toHaveProperty('aud')
    for (const aud of ['other', ['other'], [], undefined, 5]) {
      expect(await refusal(sign({ aud }), { audiences })).toBe('audience')
    }
  })

  it('names no principal', async () => {
    const token = sign({ upn: undefined, preferred_username: undefined, sub: undefined })
    expect(await refusal(token)).toBe('principal')
    expect(await accepted(token, { requireNamedPrincipal: false })).toHaveProperty('iss')
  })
})

describe('createJwtVerifier', () => {
  it('accepts the tokens of each issuer in a list', async () => {
    const issuers = ['https://a.example', 'https://b.example']
    for (const iss of issuers) expect((await accepted(sign({ iss }), { issuers })).iss).toBe(iss)
    expect(await refusal(sign({ iss: 'https://c.example' }), { issuers })).toBe('issuer')
  })

  it('verifies ES256 when that is the algorithm, and then nothing else', async () => {
    const es = await createDevIssuer({ algorithm: 'ES256' })
    const options = { publicKey: es.publicKeyPem, algorithm: 'ES256' } as const
    expect(await accepted(es.sign(), options)).toHaveProperty('iss')
    expect(await refusal(sign(), options)).toBe('algorithm')
  })

  it('reads the key from a path and from a file: URL', async () => {
    const path = join(folder, 'key.pem')
    await writeFile(path, issuer.publicKeyPem)
    for (const publicKeyLocation of [path, pathToFileURL(path).href]) {
      const verifier = await createJwtVerifier({ publicKeyLocation, issuers: [issuer.issuer] })
      expect(await verifier.verify(await sign())).toHaveProperty('name')
    }
  })

  it('uses only the key of the kid when a set has it, and all keys for a token without kid', async () => {
    const b = { ...stranger.jwk, kid: 'b' }
    const publicKey = JSON.stringify({ keys: [b, issuer.jwk] })
    expect(await accepted(sign(), { publicKey })).toHaveProperty('iss')
    expect(await refusal(issuer.sign({}, { kid: 'b' }), { publicKey })).toBe('signature')
    expect(await refusal(issuer.sign({}, { kid: 'c' }), { publicKey })).toBe('key')
    expect(await accepted(issuer.sign({}, { kid: undefined } as object), { publicKey })).toHaveProperty('iss')
  })

  it('verifies with a PEM key whatever kid the token names (contract 2.1)', async () => {
    expect(await accepted(issuer.sign({}, { kid: 'unheard of' }))).toHaveProperty('iss')
  })

  it.each<[string, Partial<JwtVerifierOptions>, string]>([
    ['no key', { publicKey: undefined } as object, 'mp.jwt.verify.publickey.location'],
    ['both keys', { publicKeyLocation: 'x' }, 'mp.jwt.verify.publickey'],
    ['a garbage key', { publicKey: 'garbage' }, 'mp.jwt.verify.publickey'],
    ['an empty key set', { publicKey: '{"keys":[]}' }, 'mp.jwt.verify.publickey'],
    ['no issuer', { issuers: [] }, 'mp.jwt.verify.issuer'],
    ['an empty issuer', { issuers: [''] }, 'mp.jwt.verify.issuer'],
    ['another algorithm', { algorithm: 'HS256' as 'RS256' }, 'mp.jwt.verify.publickey.algorithm'],
    ['an empty audience', { audiences: [''] }, 'mp.jwt.verify.audiences'],
    ['a negative skew', { clockSkewSeconds: -1 }, 'mp.jwt.verify.clock.skew'],
    ['a fraction as age', { maxTokenAgeSeconds: 0.5 }, 'mp.jwt.verify.token.age'],
  ])('refuses to start with %s and names the property', async (_, options, property) => {
    const error: unknown = await verifier(options).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(JwtConfigError)
    expect(error).toMatchObject({ code: 'JWT_CONFIG_INVALID', property })
    expect(String(error)).toContain(property.replaceAll('.', '_').toUpperCase())
  })

  it.each([
    'missing.pem',
    'file:///missing.pem',
    'ftp://127.0.0.1/key',
    'http://',
    'http://u:p@127.0.0.1/key',
    'file://host/x',
  ])('decisions 1.15: refuses to start with the location %s', async (publicKeyLocation) => {
    const starting = createJwtVerifier({ publicKeyLocation, issuers: ['i'] })
    await expect(starting).rejects.toMatchObject({ property: 'mp.jwt.verify.publickey.location' })
  })

  it('counts outcomes by reason', async () => {
    const counted = await verifier()
    const good = await sign()
    await counted.verify(good)
    await counted.verify(good)
    await counted.verify(await sign({ expiresInSeconds: -5 })).catch(() => {})
    await counted.verify('x').catch(() => {})
    expect(counted.outcomes()).toMatchObject({ accepted: 2, expired: 1, malformed: 1, signature: 0 })
  })
})

describe('the cache of verified tokens', () => {
  const start = Date.now()

  it('never serves a token past its exp', async () => {
    let time = start
    const cached = await verifier({ clock: () => time })
    const token = await sign({ exp: Math.floor(start / 1000) + 10 })
    const first = await cached.verify(token)
    expect(await cached.verify(token)).toBe(first)
    time = (Math.floor(start / 1000) + 10) * 1000 - 1
    expect(await cached.verify(token)).toBe(first)
    time += 1
    await expect(cached.verify(token)).rejects.toMatchObject({ reason: 'expired' })
  })

  it('never serves a token past its age limit', async () => {
    let time = start
    const cached = await verifier({ clock: () => time, maxTokenAgeSeconds: 60 })
    const token = await sign()
    await cached.verify(token)
    time += 61_000
    await expect(cached.verify(token)).rejects.toMatchObject({ reason: 'too_old' })
  })

  it('never gives one caller the claims of another', async () => {
    const cached = await verifier({ cacheSize: 2 })
    const tokens = await Promise.all(['a', 'b', 'c', 'd'].map((user) => sign({ user })))
    for (let round = 0; round < 3; round += 1) {
      const names = await Promise.all(
        tokens.map(async (token) => (await cached.verify(token)).claims.preferred_username),
      )
      expect(names).toEqual(['a', 'b', 'c', 'd'])
    }
  })

  it('is bounded, and forgets the least recently used token first', async () => {
    const cached = await verifier({ cacheSize: 2 })
    const [a, b, c] = await Promise.all([sign({ user: 'a' }), sign({ user: 'b' }), sign({ user: 'c' })])
    const first = await cached.verify(a)
    const second = await cached.verify(b)
    expect(await cached.verify(a)).toBe(first)
    await cached.verify(c)
    expect(await cached.verify(a)).toBe(first)
    expect(await cached.verify(b)).not.toBe(second)
  })

  it('can be turned off', async () => {
    const uncached = await verifier({ cacheSize: 0 })
    const token = await sign()
    expect(await uncached.verify(token)).not.toBe(await uncached.verify(token))
  })
})
