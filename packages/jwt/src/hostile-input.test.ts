import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createDevIssuer, type DevIssuer } from './dev-issuer.ts'
import { InvalidTokenError, KeyFormatError } from './errors.ts'
import { parseKeys } from './key-set.ts'
import { createJwtVerifier } from './verifier.ts'

describe('hostile input', () => {
  let issuer: DevIssuer
  beforeAll(async () => {
    issuer = await createDevIssuer()
  })

  it('as a key is a KeyFormatError, or a set without usable keys', () => {
    const member = fc.constantFrom('kty', 'n', 'e', 'kid', 'alg', 'use', 'key_ops', 'crv', 'x', 'y', 'x5c')
    const value = fc.oneof(fc.constantFrom('RSA', 'EC', 'OKP', 'P-256', 'AQAB', 'RS256', 'sig'), fc.jsonValue())
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
          expect(parseKeys(candidate, 'RS256').keys).toEqual([])
        } catch (error) {
          expect(error).toBeInstanceOf(KeyFormatError)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('as a signed payload is accepted or refused, never another error', async () => {
    const verifier = await createJwtVerifier({ publicKey: issuer.publicKeyPem, issuers: [issuer.issuer] })
    const name = fc.constantFrom(...'sub aud upn iss exp iat nbf groups preferred_username __proto__'.split(' '))
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, fc.jsonValue(), { maxKeys: 4 }), async (claims) => {
        const token = await issuer.sign(claims)
        const error: unknown = await verifier.verify(token).then(
          () => undefined,
          (thrown: unknown) => thrown,
        )
        if (error !== undefined) expect(error).toBeInstanceOf(InvalidTokenError)
      }),
      { numRuns: 300 },
    )
  })
})
