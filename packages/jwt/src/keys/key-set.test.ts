import { createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { otherRsaPair as otherRsa, rsaPair as rsa } from '../../tests/keys.ts'
import { KeyFormatError } from '../errors.ts'
import { parseKeys, succeed } from './key-set.ts'

const ec = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })

/** A certificate of a key on P-256, made by `openssl req -new -x509`. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmTCCAT+gAwIBAgIUKl9zfmTFdJEYeLY9DBOoYm/5SMQwCgYIKoZIzj0EAwIw
ITEfMB0GA1UEAwwWaXNzdWVyLnRhcHJvb20uZXhhbXBsZTAgFw0yNjExMjgxNjU5
MDBaGA8yMTI2MTEwNDE2NTkwMFowITEfMB0GA1UEAwwWaXNzdWVyLnRhcHJvb20u
ZXhhbXBsZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABCbJOJovaZlMWL+V9gvD
sVNNatYqBAoc/ktFadPDf0K+lnrmBA2BEEZnm65528SVNCDA7DfQpuYGyrkufsjO
HC+jUzBRMB0GA1UdDgQWBBQsGW48AxRxzTG4ARdsKEpfs0vckTAfBgNVHSMEGDAW
gBQsGW48AxRxzTG4ARdsKEpfs0vckTAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49
BAMCA0gAMEUCIEt9vAr84wCkZIjthEQRHQ/2AL072/g9rDsP4mZKg7WkAiEAyv3X
jfbYG4KFnZH3/4sWKCSiBbqBMNqv65ysi0+OZ6s=
-----END CERTIFICATE-----
`

const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString()
const jwk = (key: KeyObject, more: object = {}) => ({ ...key.export({ format: 'jwk' }), ...more })
const jwks = (...keys: object[]) => JSON.stringify({ keys })
const base64url = (text: string) => Buffer.from(text).toString('base64url')
/** A JWK with other numbers than the key has. */
const jwkOf = (numbers: Record<string, Buffer>) =>
  JSON.stringify({
    ...jwk(rsa.publicKey),
    ...Object.fromEntries(Object.entries(numbers).map(([name, bytes]) => [name, bytes.toString('base64url')])),
  })
const usable = (text: string) => parseKeys(text, ['RS256']).keys.map(({ key }) => spki(key))

describe('parseKeys', () => {
  const single = JSON.stringify(jwk(rsa.publicKey))
  const set = jwks(jwk(rsa.publicKey, { kid: 'a' }))
  it.each([
    ['SPKI PEM', spki(rsa.publicKey)],
    ['SPKI PEM on one line with escaped line breaks', spki(rsa.publicKey).replaceAll('\n', '\\n')],
    ['SPKI PEM on one line with blanks for line breaks', spki(rsa.publicKey).trim().replaceAll('\n', ' ')],
    ['SPKI PEM on one line without line breaks', spki(rsa.publicKey).replaceAll('\n', '')],
    ['SPKI in bare Base64', spki(rsa.publicKey).replaceAll(/-----[A-Z ]+-----|\n/g, '')],
    ['SPKI in bare Base64 of several lines', spki(rsa.publicKey).replaceAll(/-----[A-Z ]+-----/g, '')],
    ['SPKI PEM after a byte order mark', `\uFEFF${spki(rsa.publicKey)}`],
    ['JWKS after a byte order mark', `\uFEFF${jwks(jwk(rsa.publicKey))}`],
    ['Base64URL JWK of a text with a byte order mark', base64url(`\uFEFF${JSON.stringify(jwk(rsa.publicKey))}`)],
    ['PKCS#1 PEM', rsa.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString()],
    ['JWK', single],
    ['JWKS', set],
    ['Base64URL JWK', base64url(single)],
    ['Base64URL JWKS', base64url(set)],
    ['padded Base64 JWK', Buffer.from(single).toString('base64')],
    ['anything between blanks', `\n ${single} \n`],
  ])('reads %s', (_, text) => {
    expect(usable(text)).toEqual([spki(rsa.publicKey)])
  })

  it.each([
    ['PEM', spki(ec.publicKey)],
    ['JWK', JSON.stringify(jwk(ec.publicKey))],
  ])('reads a P-256 key for ES256 from %s', (_, text) => {
    expect(parseKeys(text, ['ES256']).keys).toHaveLength(1)
  })

  const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
  const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey
  const request = '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----'
  const pkcs8 = rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  it.each([
    ['an empty text', '', /found nothing: expected a public key as PEM/],
    ['garbage', 'garbage', /found a text of 7 characters/],
    ['a page', '<!doctype html><title>Sign in</title>', /found an HTML or XML page/],
    ['broken JSON', '{"kty":', /found JSON that is broken/],
    [
      'metadata of an issuer',
      '{"issuer":"https://i.example","jwks_uri":"https://i.example/k"}',
      /jwks_uri is the key set/,
    ],
    ['another JSON object', '{"error":"not_found"}', /found a JSON object without "kty" or "keys"/],
    ['a token', 'eyJhbGciOiJSUzI1NiJ9.e30.AA', /found a token/],
    ['an OpenSSH key', 'ssh-rsa AAAAB3NzaC1yc2E= duke@host', /found an OpenSSH key/],
    ['a certificate request', request, /found a certificate request/],
    [
      'an unknown block',
      '-----BEGIN DH PARAMETERS-----\nAAAA\n-----END DH PARAMETERS-----',
      /found a PEM block "DH PARAMETERS"/,
    ],
    ['a private key that is called public', pkcs8.replaceAll('PRIVATE', 'PUBLIC'), /found a private key in PEM/],
    ['a private key in bare Base64', pkcs8.replaceAll(/-----[A-Z ]+-----|\n/g, ''), /found a private key in Base64/],
    [
      'a PEM with a broken body',
      '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----',
      /"PUBLIC KEY" that is not readable/,
    ],
    ['a JWK with a broken member', '{"kty":"RSA","n":5,"e":"AQAB"}', /a JWK that is not readable/],
    ['two keys in one PEM', spki(rsa.publicKey) + spki(otherRsa.publicKey), /exactly one/],
    ['a private key in PEM', pkcs8, /private/],
    ['a private PKCS#1 key', rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(), /private/],
    ['a private key after the public one', spki(rsa.publicKey) + pkcs8, /private/],
    ['a private JWK', JSON.stringify(jwk(rsa.privateKey)), /private/],
    ['a private JWK in a set', jwks(jwk(rsa.publicKey), jwk(otherRsa.privateKey)), /private/],
    ['a symmetric JWK', '{"kty":"oct","k":"AAAA"}', /symmetric/],
    ['a JWKS whose keys are no list', '{"keys":{}}', /list/],
    ['a JWKS with a member that is no key', '{"keys":[5]}', /list/],
    ['an RSA key under 2048 bits', spki(short), /found an RSA key of 1024 bits: expected 2048 to 8192/],
    ['an RSA key of more than 8192 bits', jwkOf({ n: Buffer.alloc(1025, 255) }), /8192/],
    ['an RSA key whose exponent is 1', jwkOf({ e: Buffer.of(1) }), /exponent/],
    ['an RSA key with an exponent that takes long', jwkOf({ e: Buffer.alloc(256, 255) }), /exponent/],
    ['more than 256 KiB', `${' '.repeat(256 * 1024)}${set}`, /262144 bytes/],
    ['a JWK nested deep', `{"kty":"RSA","x":${'['.repeat(200_000)}`, /deeper than 16/],
    ['a JWKS of more than 50 keys', jwks(...Array.from({ length: 51 }, () => ({ kty: 'RSA' }))), /50 keys/],
    ['an RSA-PSS key', spki(pss), /RSA key/],
    ['an EC key for RS256', spki(ec.publicKey), /RSA key/],
    ['a JWK of another algorithm', JSON.stringify(jwk(rsa.publicKey, { alg: 'RS512' })), /not for RS256/],
    ['a JWK for encryption', JSON.stringify(jwk(rsa.publicKey, { use: 'enc' })), /not for signatures/],
    ['a JWK that may only sign', JSON.stringify(jwk(rsa.publicKey, { key_ops: ['sign'] })), /not for verifying/],
  ])('refuses %s', (_, text, message) => {
    expect(() => parseKeys(text, ['RS256'])).toThrow(KeyFormatError)
    expect(() => parseKeys(text, ['RS256'])).toThrow(message)
  })

  it('refuses another curve than P-256 for ES256', () => {
    expect(() => parseKeys(spki(p384), ['ES256'])).toThrow(/P-256/)
    expect(() => parseKeys(spki(rsa.publicKey), ['ES256'])).toThrow(/P-256/)
  })

  it('passes over the keys of a set that are for something else', () => {
    const mixed = jwks(jwk(short), jwk(ec.publicKey), jwk(otherRsa.publicKey, { use: 'enc' }), jwk(rsa.publicKey), {
      kty: 'new',
    })
    expect(usable(mixed)).toEqual([spki(rsa.publicKey)])
  })

  it('reads the key of an X.509 certificate', () => {
    const key = new X509Certificate(CERTIFICATE).publicKey
    for (const text of [CERTIFICATE, CERTIFICATE.replaceAll('\n', '\\n'), CERTIFICATE.trim().replaceAll('\n', ' ')])
      expect(parseKeys(text, ['ES256']).keys.map(({ key: one }) => spki(one))).toEqual([spki(key)])
  })

  it('passes over a symmetric key and over two keys of one kid, which no token needs (RFC 7517, sections 4.5 and 5)', () => {
    const secret = { kty: 'oct', kid: 's', k: 'c2VjcmV0' }
    const twice = [jwk(otherRsa.publicKey, { kid: 'b' }), jwk(ec.publicKey, { kid: 'b' })]
    const { keys, ignored } = parseKeys(jwks(secret, jwk(rsa.publicKey, { kid: 'a' }), ...twice, {}), [
      'RS256',
      'ES256',
    ])
    expect(keys.map(({ kid, algorithms }) => `${kid} ${algorithms.join()}`)).toEqual(['a RS256', 'b RS256', 'b ES256'])
    expect(ignored).toEqual([expect.stringMatching(/symmetric/), expect.stringMatching(/without "kty"/)])
    expect(ignored.join()).not.toContain('c2VjcmV0')
  })

  it('never quotes the text it could not read', () => {
    expect(() => parseKeys('secret-looking text', ['RS256'])).toThrow(
      expect.not.objectContaining({ cause: expect.anything() }),
    )
    expect(() => parseKeys('secret-looking text', ['RS256'])).not.toThrow(/secret/)
  })
})

describe('candidates', () => {
  const a = jwk(rsa.publicKey, { kid: 'a' })
  const unnamed = jwk(otherRsa.publicKey)

  it('is the PEM key whatever the kid says', () => {
    expect(parseKeys(spki(rsa.publicKey), ['RS256']).candidates('/privateKey.pem', 'RS256')).toHaveLength(1)
  })

  it('is only the key of that kid', () => {
    const set = parseKeys(jwks(unnamed, a), ['RS256'])
    expect(set.candidates('a', 'RS256').map(({ kid }) => kid)).toEqual(['a'])
  })

  it('is every key of that kid and algorithm, so that the signature decides (RFC 7517, section 4.5)', () => {
    const set = parseKeys(jwks(a, jwk(otherRsa.publicKey, { kid: 'a' }), jwk(ec.publicKey, { kid: 'a' })), [
      'RS256',
      'ES256',
    ])
    expect(set.candidates('a', 'RS256')).toHaveLength(2)
    expect(set.candidates('a', 'ES256')).toHaveLength(1)
  })

  it('is every key for a token without a kid', () => {
    expect(parseKeys(jwks(unnamed, a), ['RS256']).candidates(undefined, 'RS256')).toHaveLength(2)
  })

  it('is none for an unknown kid, unless keys have no name', () => {
    expect(parseKeys(jwks(a), ['RS256']).candidates('b', 'RS256')).toEqual([])
    expect(
      parseKeys(jwks(unnamed, a), ['RS256'])
        .candidates('b', 'RS256')
        .map(({ kid }) => kid),
    ).toEqual([undefined])
  })

  it('is at most eight keys', () => {
    const key = jwk(createPublicKey(spki(rsa.publicKey)))
    const many = jwks(...Array.from({ length: 20 }, (_, i) => ({ ...key, kid: `k${i}` })))
    expect(parseKeys(many, ['RS256']).candidates(undefined, 'RS256')).toHaveLength(8)
  })
})

describe('succeed', () => {
  it('keeps the objects of keys that stay and drops those that left', () => {
    const before = parseKeys(jwks(jwk(rsa.publicKey, { kid: 'a' }), jwk(otherRsa.publicKey, { kid: 'b' })), ['RS256'])
    const after = succeed(before, parseKeys(jwks(jwk(otherRsa.publicKey, { kid: 'b' })), ['RS256']))
    const [a, b] = before.keys
    expect(after.keys).toEqual([b])
    expect(b !== undefined && after.keys.includes(b)).toBe(true)
    expect(a !== undefined && after.keys.includes(a)).toBe(false)
  })

  it('takes the same key under another kid for another key', () => {
    const before = parseKeys(jwks(jwk(rsa.publicKey, { kid: 'a' })), ['RS256'])
    const after = succeed(before, parseKeys(jwks(jwk(rsa.publicKey, { kid: 'b' })), ['RS256']))
    expect(before.keys.some((key) => after.keys.includes(key))).toBe(false)
  })
})
