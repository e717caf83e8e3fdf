import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stranger } from '../../tests/keys.ts'
import { createVerification } from '../../tests/verification.ts'
import { JwtConfigError } from '../errors.ts'
import { createDevIssuer } from '../testing/dev-issuer.ts'
import { createJwtVerifier } from './verifier.ts'
import type { JwtVerifierOptions } from './verifier-options.ts'

const { issuer, accepted, refusal, sign, verifier } = await createVerification()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jwt-'))
})
afterAll(() => rm(folder, { recursive: true }))

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
    await Promise.resolve(counted.verify(await sign({ expiresInSeconds: -5 }))).catch(() => {})
    await Promise.resolve(counted.verify('x')).catch(() => {})
    expect(counted.outcomes()).toMatchObject({ accepted: 2, expired: 1, malformed: 1, signature: 0 })
  })
})
