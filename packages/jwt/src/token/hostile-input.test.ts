import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { issuer, rsaPair } from '../../tests/keys.ts'
import { InvalidTokenError, JwtError, KeyFormatError } from '../errors.ts'
import { ALGORITHMS } from '../keys/algorithms.ts'
import { parseKeys } from '../keys/key-set.ts'
import { createJwtVerifier } from '../verifier/verifier.ts'

describe('hostile input', () => {
  it('as a key is a KeyFormatError, or a set without usable keys', () => {
    const member = fc.constantFrom('kty', 'n', 'e', 'kid', 'alg', 'use', 'key_ops', 'crv', 'x', 'y', 'x5c')
    const value = fc.oneof(
      fc.constantFrom('RSA', 'EC', 'OKP', 'P-256', 'AQAB', 'RS256', 'EdDSA', 'Ed25519', 'P-521', 'sig'),
      fc.jsonValue(),
    )
    const jwk = fc.dictionary(member, value)
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      jwk.map((key) => JSON.stringify(key)),
      fc.array(fc.oneof(jwk, fc.jsonValue()), { maxLength: 4 }).map((keys) => JSON.stringify({ keys })),
      fc.base64String().map((body) => `-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----`),
    )
    fc.assert(
      fc.property(text, (candidate) => {
        try {
          expect(parseKeys(candidate, ALGORITHMS).keys).toEqual([])
        } catch (error) {
          expect(error).toBeInstanceOf(KeyFormatError)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('as a signed payload is accepted or refused, never another error', async () => {
    const verifier = await createJwtVerifier({ publicKey: issuer.publicKeyPem, issuers: [issuer.issuer] })
    const name = fc.constantFrom(...'sub aud upn iss exp iat nbf groups preferred_username __proto__'.split(' '))
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, fc.jsonValue(), { maxKeys: 4 }), async (claims) => {
        const token = await issuer.sign(claims)
        const error: unknown = await Promise.resolve(verifier.verify(token)).then(
          () => undefined,
          (thrown: unknown) => thrown,
        )
        if (error !== undefined) expect(error).toBeInstanceOf(InvalidTokenError)
      }),
      { numRuns: 100 },
    )
  })

  it('as an encrypted token is refused, never another error', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jwt-'))
    const decryptKeyLocation = join(folder, 'key.pem')
    await writeFile(decryptKeyLocation, rsaPair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const one = await createJwtVerifier({
      publicKey: issuer.publicKeyPem,
      issuers: [issuer.issuer],
      decryptKeyLocation,
    })
    await rm(folder, { recursive: true })
    const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
    const header = fc.dictionary(
      fc.constantFrom('zip', 'crit', 'kid', 'typ', 'epk', 'p2c', '__proto__'),
      fc.jsonValue(),
    )
    const right = { alg: 'RSA-OAEP', enc: 'A256GCM', cty: 'JWT' }
    const parts = fc.tuple(
      fc.oneof(
        header.map((more) => Buffer.from(JSON.stringify({ ...more, ...right }))),
        fc.uint8Array(),
      ),
      fc.oneof(bytes(256), fc.uint8Array()),
      fc.oneof(bytes(12), fc.uint8Array()),
      fc.uint8Array(),
      fc.oneof(bytes(16), fc.uint8Array()),
    )
    await fc.assert(
      fc.asyncProperty(parts, async (all) => {
        const token = all.map((part) => Buffer.from(part).toString('base64url')).join('.')
        await expect(one.verify(token)).rejects.toBeInstanceOf(InvalidTokenError)
      }),
      { numRuns: 150 },
    )
  })

  it('as an answer about an opaque token is accepted, refused or no answer, never another error', async () => {
    let answer = ''
    const one = await createJwtVerifier({
      publicKey: issuer.publicKeyPem,
      issuers: [issuer.issuer],
      introspection: { url: 'https://id.example', clientId: 'c', clientSecret: 's', cacheSeconds: 0 },
      fetch: (async () => new Response(answer)) as typeof fetch,
    })
    const now = Math.floor(Date.now() / 1000)
    const right = { active: true, iss: issuer.issuer, exp: now + 60, iat: now, sub: 'duke' }
    const name = fc.constantFrom(
      ...'active iss exp iat nbf aud sub upn username client_id groups scope __proto__'.split(' '),
    )
    const facts = fc
      .dictionary(name, fc.jsonValue(), { maxKeys: 3 })
      .map((more) => JSON.stringify({ ...right, ...more }))
    await fc.assert(
      fc.asyncProperty(fc.oneof(facts, fc.json(), fc.string()), fc.string(), async (text, token) => {
        answer = text
        const error: unknown = await Promise.resolve(one.verify(token.includes('.') ? 'opaque' : token)).catch(
          (thrown: unknown) => thrown,
        )
        if (error instanceof Error) expect(error).toBeInstanceOf(JwtError)
      }),
      { numRuns: 300 },
    )
    expect(one.outcomes()).toMatchObject({ accepted: expect.any(Number) })
  })
})
