import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { rsaPair } from '../../tests/keys.ts'
import { createVerification, encode } from '../../tests/verification.ts'
import { createDevIssuer, type DevIssuer } from '../testing/dev-issuer.ts'
import { createJwtVerifier } from '../verifier/verifier.ts'
import { ALGORITHMS, type JwtAlgorithm } from './algorithms.ts'

const { accepted, refusal, verifier } = await createVerification()
const issuers = Object.fromEntries(
  await Promise.all(
    ALGORITHMS.map(async (algorithm) => [algorithm, await createDevIssuer({ algorithm, kid: algorithm })]),
  ),
) as Record<JwtAlgorithm, DevIssuer>
const all = JSON.stringify({ keys: Object.values(issuers).map(({ jwk }) => jwk) })
const publicKeyOf = (algorithm: JwtAlgorithm) => createPublicKey(issuers[algorithm].publicKeyPem)
const jwkOf = (key: KeyObject, more: object) => JSON.stringify({ ...key.export({ format: 'jwk' }), ...more })
const now = Math.floor(Date.now() / 1000)
const claims = { iss: issuers.RS256.issuer, exp: now + 3600, iat: now, upn: 'duke' }

/** A token with any header, and a signature of any make. */
function forge(header: object, signature: (input: string) => Buffer): string {
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${signature(input).toString('base64url')}`
}

describe('decisions 3.31: a signature algorithm', () => {
  it.each(ALGORITHMS)('%s is accepted alone, from PEM and from JWK, and then no other is', async (algorithm) => {
    const { publicKeyPem, jwk, sign } = issuers[algorithm]
    for (const publicKey of [publicKeyPem, JSON.stringify(jwk)]) {
      expect(await accepted(sign(), { publicKey, algorithm })).toHaveProperty('iss')
      for (const other of ALGORITHMS.filter((one) => one !== algorithm)) {
        expect(await refusal(issuers[other].sign(), { publicKey, algorithm })).toBe('algorithm')
      }
    }
  })

  it('is one of a list, each with its own key of one set', async () => {
    const one = await verifier({ publicKey: all, algorithm: ALGORITHMS })
    for (const algorithm of ALGORITHMS) expect(await one.verify(await issuers[algorithm].sign())).toHaveProperty('name')
    const some = { publicKey: all, algorithm: ['PS256', 'EdDSA'] } as const
    expect(await accepted(issuers.PS256.sign(), some)).toHaveProperty('iss')
    expect(await accepted(issuers.EdDSA.sign(), some)).toHaveProperty('iss')
    expect(await refusal(issuers.RS256.sign(), some)).toBe('algorithm')
  })

  it('is bound to the key: what another algorithm of the same key signed is refused', async () => {
    // The RSA key says RS256; its owner, or who stole it, signs PS256 with it.
    const { privateKey, publicKey } = rsaPair
    const both = { algorithm: ['RS256', 'PS256'] } as const
    const pss = (input: string) => sign('sha256', Buffer.from(input), { key: privateKey, padding: 6, saltLength: 32 })
    const v15 = (input: string) => sign('sha256', Buffer.from(input), privateKey)
    const named = jwkOf(publicKey, { alg: 'RS256' })
    expect(await accepted(forge({ alg: 'RS256' }, v15), { ...both, publicKey: named })).toHaveProperty('iss')
    expect(await refusal(forge({ alg: 'PS256' }, pss), { ...both, publicKey: named })).toBe('key')
    expect(await refusal(forge({ alg: 'RS256' }, pss), { ...both, publicKey: named })).toBe('signature')
  })

  it('of a key that names none is each of the list that it fits', async () => {
    const { publicKeyPem, jwk } = issuers.PS256
    const { alg: _alg, ...unnamed } = jwk
    const token = issuers.PS256.sign()
    const set = JSON.stringify({ keys: [unnamed] })
    for (const publicKey of [publicKeyPem, JSON.stringify(unnamed), set]) {
      for (const algorithm of [
        ['PS256', 'RS256'],
        ['RS256', 'PS256'],
      ] as const) {
        expect(await accepted(token, { publicKey, algorithm })).toHaveProperty('iss')
      }
      expect(await refusal(token, { publicKey, algorithm: ['RS256', 'ES256'] })).toBe('algorithm')
    }
    const es = issuers.ES384.publicKeyPem
    expect(await accepted(issuers.ES384.sign(), { publicKey: es, algorithm: ALGORITHMS })).toHaveProperty('iss')
  })

  it.each(['none', 'None', 'NONE', 'HS256', 'HS384', 'HS512', 'RS1', 'ES256K', 'Ed448', '', 'rs256', 'RS256 '])(
    'decisions 3.31: "%s" is never accepted, also with the public key as the secret',
    async (alg) => {
      const options = { publicKey: all, algorithm: ALGORITHMS }
      for (const { publicKeyPem, jwk } of Object.values(issuers)) {
        for (const secret of [publicKeyPem, publicKeyPem.trim(), JSON.stringify(jwk)]) {
          for (const hash of ['sha256', 'sha512']) {
            const token = forge({ alg, kid: jwk.kid }, (input) => createHmac(hash, secret).update(input).digest())
            expect(await refusal(token, options)).toBe('algorithm')
          }
        }
      }
      expect(await refusal(`${encode({ alg })}.${encode(claims)}.`, options)).toBe('algorithm')
    },
  )

  it('and a public key as HMAC secret under an accepted name is a wrong signature', async () => {
    for (const alg of ALGORITHMS) {
      const token = forge({ alg, kid: alg }, (input) => createHmac('sha256', all).update(input).digest())
      expect(await refusal(token, { publicKey: all, algorithm: ALGORITHMS })).toBe('signature')
    }
  })

  it('chooses among keys only: a token that names the key of another algorithm finds none', async () => {
    const options = { publicKey: all, algorithm: ALGORITHMS }
    for (const alg of ALGORITHMS) {
      for (const kid of ALGORITHMS.filter((one) => one !== alg)) {
        expect(await refusal(issuers[alg].sign({}, { kid }), options)).toBe('key')
      }
    }
  })

  it('ECDSA with a signature of zeros or of the right length for another curve is refused (CVE-2022-21449)', async () => {
    for (const alg of ['ES256', 'ES384', 'ES512'] as const) {
      for (const length of [64, 96, 132]) {
        const token = forge({ alg, kid: alg }, () => Buffer.alloc(length))
        expect(await refusal(token, { publicKey: all, algorithm: ALGORITHMS })).toBe('signature')
      }
    }
  })
})

describe('a key that does not fit its algorithm', () => {
  const secp256k1 = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey
  const ed448 = generateKeyPairSync('ed448').publicKey
  const x25519 = generateKeyPairSync('x25519').publicKey
  const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey
  const { ES256: es256, RS256: rs256, EdDSA: ed } = issuers
  const start = (publicKey: string, algorithm: JwtAlgorithm | readonly JwtAlgorithm[] = ALGORITHMS) =>
    createJwtVerifier({ publicKey, algorithm, issuers: ['i'] })

  it.each<[string, string, (JwtAlgorithm | readonly JwtAlgorithm[])?]>([
    ['P-256 with alg ES384', jwkOf(publicKeyOf('ES256'), { alg: 'ES384' })],
    ['P-384 with alg ES256', jwkOf(publicKeyOf('ES384'), { alg: 'ES256' })],
    ['RSA with alg ES256', jwkOf(publicKeyOf('RS256'), { alg: 'ES256' })],
    ['Ed25519 with alg ES256', jwkOf(publicKeyOf('EdDSA'), { alg: 'ES256' })],
    ['EC that calls itself RSA', JSON.stringify({ ...es256.jwk, kty: 'RSA', alg: 'RS256' })],
    ['P-256 numbers under crv P-384', JSON.stringify({ ...es256.jwk, crv: 'P-384', alg: 'ES384' })],
    ['alg of encryption', JSON.stringify({ ...rs256.jwk, alg: 'RSA-OAEP' })],
    ['alg HS256', JSON.stringify({ ...rs256.jwk, alg: 'HS256' })],
    ['alg none', JSON.stringify({ ...rs256.jwk, alg: 'none' })],
    ['use enc', JSON.stringify({ ...ed.jwk, use: 'enc' })],
    ['key_ops without verify', JSON.stringify({ ...ed.jwk, key_ops: ['encrypt'] })],
    ['secp256k1', jwkOf(secp256k1, {})],
    ['Ed448', jwkOf(ed448, {})],
    ['X25519', jwkOf(x25519, {})],
    ['RSA-PSS with its own parameters', pss.export({ type: 'spki', format: 'pem' }).toString()],
    ['Ed25519 for ES256', ed.publicKeyPem, 'ES256'],
    ['RSA for a list without RSA', rs256.publicKeyPem, ['ES256', 'EdDSA']],
  ])('stops the start: %s', async (_, publicKey, algorithm) => {
    await expect(start(publicKey, algorithm)).rejects.toMatchObject({ property: 'mp.jwt.verify.publickey' })
  })

  it.each([[[]], [['RS256', 'HS256']], ['none']])('so does the list %j', async (algorithm) => {
    const starting = start(all, algorithm as JwtAlgorithm[])
    await expect(starting).rejects.toMatchObject({ property: 'mp.jwt.verify.publickey.algorithm' })
  })
})
