import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { deflateRawSync } from 'node:zlib'
import { CompactEncrypt, type CompactJWEHeaderParameters } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { otherRsaPair as other, rsaPair as pair, stranger } from '../../tests/keys.ts'
import { createVerification, encode, keep } from '../../tests/verification.ts'

const { issuer, sign, accepted, refusal, verifier } = await createVerification()
const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
const jwk = (key: KeyObject, more: object = {}) => ({ ...key.export({ format: 'jwk' }), ...more })

let folder: string
let decryptKeyLocation: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jwt-'))
  decryptKeyLocation = await written(pem(pair.privateKey))
})
afterAll(() => rm(folder, { recursive: true }))
let files = 0
async function written(text: string): Promise<string> {
  files += 1
  const path = join(folder, `key-${files}`)
  await writeFile(path, text)
  return path
}

const HEADER = { alg: 'RSA-OAEP-256', enc: 'A256GCM', cty: 'JWT' }
async function encrypt(content: string | Buffer | Promise<string>, header: object = {}, key = pair.publicKey) {
  const plaintext = Buffer.from((await content) as string)
  const protectedHeader = { ...HEADER, ...header } as CompactJWEHeaderParameters
  return new CompactEncrypt(plaintext).setProtectedHeader(protectedHeader).encrypt(key)
}
/** The token with another header, which the tag does not cover. */
async function withHeader(header: object): Promise<string> {
  const [, ...rest] = (await encrypt(sign())).split('.')
  return [encode({ ...HEADER, ...header }), ...rest].join('.')
}

describe('decisions 3.37: an encrypted token', () => {
  const options = () => ({ decryptKeyLocation })

  it.each(['RSA-OAEP', 'RSA-OAEP-256'])('is accepted with %s, when its content is a good token', async (alg) => {
    expect(await accepted(encrypt(sign(), { alg }), options())).toHaveProperty('iss')
    expect(await accepted(encrypt(sign(), { alg, cty: 'at+jwt', typ: 'JWT', kid: 'any' }), options())).toHaveProperty(
      'iss',
    )
  })

  it('decisions 3.37: must be encrypted once there is a key, and must not be without one', async () => {
    expect(await refusal(sign(), options())).toBe('encryption')
    expect(await refusal(encrypt(sign()))).toBe('malformed')
  })

  it('decisions 3.37: must be, so an opaque one is refused, and the start with a question about nothing else too', async () => {
    const facts = { active: true, iss: issuer.issuer, exp: 9e9, iat: 1, sub: 'duke' }
    const fetch = (async () => Response.json(facts)) as unknown as typeof globalThis.fetch
    const introspection = { url: 'https://id.example', clientId: 'c', clientSecret: 's' }
    const all = { ...options(), fetch, introspection: { ...introspection, tokens: 'all' as const } }
    expect(await refusal('opaque', all)).toBe('encryption')
    expect(await accepted(encrypt(sign()), all)).toHaveProperty('iss')
    await expect(verifier({ ...options(), introspection })).rejects.toMatchObject({ property: 'introspection.tokens' })
  })

  it('holds a token to the same rules as any', async () => {
    expect(await refusal(encrypt(stranger.sign()), options())).toBe('signature')
    expect(await refusal(encrypt(sign({ expiresInSeconds: -5 })), options())).toBe('expired')
    expect(await refusal(encrypt(sign({ iss: 'https://other.example' })), options())).toBe('issuer')
    expect(await refusal(encrypt(issuer.sign({}, { alg: 'none' } as object).catch(() => 'a.b.c')), options())).toBe(
      'malformed',
    )
  })

  it.each<[string, () => string | Promise<string>]>([
    ['claims that nobody signed', () => JSON.stringify({ iss: issuer.issuer, sub: 'root', exp: 9e9, iat: 1 })],
    ['an unsigned token', () => `${encode({ alg: 'none' })}.${encode({ iss: issuer.issuer })}.`],
    ['another encrypted token', () => encrypt(sign())],
    ['nothing', () => ''],
    ['bytes', () => '\u0000\u00ff..'],
  ])('that holds %s is refused', async (_, content) => {
    expect(await refusal(encrypt(await content()), options())).toMatch(/malformed|algorithm/)
  })

  it.each<[string, object]>([
    ['without cty', { cty: undefined }],
    ['with another cty', { cty: 'text/plain' }],
    ['with a list as cty', { cty: ['JWT'] }],
    ['with another content encryption', { enc: 'A128GCM' }],
    ['with CBC', { enc: 'A256CBC-HS512' }],
    ['with RSA1_5 (RFC 8725, section 3.2)', { alg: 'RSA1_5' }],
    ['with RSA-OAEP-512', { alg: 'RSA-OAEP-512' }],
    ['with a shared key', { alg: 'dir' }],
    ['with a password', { alg: 'PBES2-HS256+A128KW', p2c: 1e9, p2s: 'AAAA' }],
    ['with ECDH', { alg: 'ECDH-ES', epk: {} }],
    ['with alg none', { alg: 'none' }],
    ['with zip', { zip: 'DEF' }],
    ['with an unknown zip', { zip: 'none' }],
    ['with crit', { crit: ['exp'], exp: 1 }],
    ['with a kid of no text', { kid: 5 }],
  ])('decisions 3.37: %s is refused before anything is decrypted', async (_, header) => {
    expect(await refusal(withHeader(header), options())).toBe('encryption')
  })

  it('that is a compression bomb is refused unopened', async () => {
    const bomb = deflateRawSync(Buffer.alloc(8 * 1024 * 1024, 'x'))
    const [, key, iv, content, tag] = (await encrypt(bomb.subarray(0, 8000))).split('.')
    const token = [encode({ ...HEADER, zip: 'DEF' }), key, iv, content, tag].join('.')
    expect(await refusal(token, options())).toBe('encryption')
  })

  it('is refused for one reason, however far decryption came', async () => {
    const token = await encrypt(sign())
    const parts = token.split('.')
    for (let part = 1; part < 5; part += 1) {
      const bytes = Buffer.from(parts[part] ?? '', 'base64url')
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      const changed = parts.with(part, bytes.toString('base64url')).join('.')
      expect(await refusal(changed, options())).toBe('encryption')
      const short = parts.with(part, bytes.subarray(1).toString('base64url')).join('.')
      expect(await refusal(short, options())).toBe('encryption')
      expect(await refusal(parts.with(part, '').join('.'), options())).toMatch(/malformed|encryption/)
    }
    expect(await refusal(encrypt(sign(), {}, other.publicKey), options())).toBe('encryption')
  })

  it('is malformed when it is longer than headers can be', async () => {
    expect(await refusal(encrypt('x'.repeat(16 * 1024)), options())).toBe('malformed')
  })

  it('with one part more is refused', async () => {
    expect(await refusal(`${await encrypt(sign())}.AAAA`, options())).toBe('encryption')
  })

  it('is remembered as any other', async () => {
    const one = await verifier(options())
    const token = await encrypt(sign())
    const kept = await keep(one, token)
    expect(await one.verify(token)).toBe(kept)
  })
})

describe('the decryption key', () => {
  it.each<[string, () => string]>([
    ['PKCS#8 PEM', () => pem(pair.privateKey)],
    ['PKCS#1 PEM', () => pair.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()],
    ['JWK', () => JSON.stringify(jwk(pair.privateKey))],
    ['JWKS', () => JSON.stringify({ keys: [jwk(other.privateKey), jwk(pair.privateKey, { use: 'enc' })] })],
    ['Base64URL of these', () => Buffer.from(JSON.stringify(jwk(pair.privateKey))).toString('base64url')],
  ])('mp.jwt.decrypt.key.location is a file with %s', async (_, text) => {
    const path = await written(text())
    for (const location of [path, pathToFileURL(path).href])
      expect(await accepted(encrypt(sign()), { decryptKeyLocation: location })).toHaveProperty('iss')
  })

  it('mp.jwt.decrypt.key.algorithm is the only one accepted', async () => {
    const options = { decryptKeyLocation, decryptKeyAlgorithm: 'RSA-OAEP-256' } as const
    expect(await accepted(encrypt(sign()), options)).toHaveProperty('iss')
    expect(await refusal(encrypt(sign(), { alg: 'RSA-OAEP' }), options)).toBe('encryption')
  })

  it('of a set is the one that the token names, and for its own alg only', async () => {
    const keys = [jwk(other.privateKey, { kid: 'a' }), jwk(pair.privateKey, { kid: 'b', alg: 'RSA-OAEP' })]
    const options = { decryptKeyLocation: await written(JSON.stringify({ keys })) }
    expect(await accepted(encrypt(sign(), { kid: 'b', alg: 'RSA-OAEP' }), options)).toHaveProperty('iss')
    expect(await refusal(encrypt(sign(), { kid: 'b', alg: 'RSA-OAEP-256' }), options)).toBe('encryption')
    expect(await refusal(encrypt(sign(), { kid: 'a' }), options)).toBe('encryption')
    expect(await refusal(encrypt(sign(), { kid: 'c' }), options)).toBe('encryption')
  })

  const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  it.each<[string, () => string]>([
    ['a public key', () => pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()],
    ['a public JWK', () => JSON.stringify(jwk(pair.publicKey))],
    ['a short key', () => pem(small)],
    ['a key on a curve', () => pem(ec)],
    ['a key for signatures', () => JSON.stringify(jwk(pair.privateKey, { use: 'sig' }))],
    ['a key that may only sign', () => JSON.stringify(jwk(pair.privateKey, { key_ops: ['sign'] }))],
    ['a key of another algorithm', () => JSON.stringify(jwk(pair.privateKey, { alg: 'RS256' }))],
    ['five keys', () => JSON.stringify({ keys: Array(5).fill(jwk(pair.privateKey)) })],
    ['no keys', () => '{"keys":[]}'],
    ['secret garbage', () => 'secret garbage'],
  ])('is not %s', async (_, text) => {
    const error: unknown = await verifier({ decryptKeyLocation: await written(text()) }).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ code: 'JWT_CONFIG_INVALID', property: 'mp.jwt.decrypt.key.location' })
    expect(String(error)).not.toMatch(/secret garbage|BEGIN|"d"/)
  })

  it.each(['missing.pem', 'https://keys.example/private', 'http://keys.example/private', 'data:,x'])(
    'decisions 3.37: is not read from %s',
    async (location) => {
      const starting = verifier({ decryptKeyLocation: location })
      await expect(starting).rejects.toMatchObject({ property: 'mp.jwt.decrypt.key.location' })
    },
  )

  it('is not used with another algorithm', async () => {
    const starting = verifier({ decryptKeyLocation, decryptKeyAlgorithm: 'RSA1_5' as 'RSA-OAEP' })
    await expect(starting).rejects.toMatchObject({ property: 'mp.jwt.decrypt.key.algorithm' })
    const alone = verifier({ decryptKeyAlgorithm: 'RSA-OAEP' })
    await expect(alone).rejects.toMatchObject({ property: 'mp.jwt.decrypt.key.algorithm' })
  })
})
