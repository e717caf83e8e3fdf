import { generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { keySetAt } from './key-set.ts'
import { signedTokens } from './signed-tokens.ts'

const NOW = 1_800_000_000_000
const folder = mkdtempSync(join(tmpdir(), 'jwks-'))
afterAll(() => rmSync(folder, { recursive: true }))

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ed = generateKeyPairSync('ed25519')
const RULES = {
  subject: 'sub',
  issuer: 'https://issuer.example',
  audience: ['kafka'],
  skewSeconds: 30,
  needsIssuedAt: true,
}

function fileOf(name: string, keys: readonly JsonWebKey[]): URL {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify({ keys }))
  return pathToFileURL(path)
}

function jwkOf(key: KeyObject, kid: string, more: object = {}): JsonWebKey {
  return { ...key.export({ format: 'jwk' }), kid, ...more }
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const claims = { iss: RULES.issuer, aud: ['kafka', 'other'], sub: 'alice', iat: NOW / 1000, exp: NOW / 1000 + 60 }

function tokenOf(
  key: KeyObject,
  header: { alg: string; kid?: string; crit?: string[] },
  payload: object = claims,
): string {
  const content = `${part(header)}.${part(payload)}`
  const hash = header.alg === 'EdDSA' ? null : `sha${header.alg.slice(2)}`
  const padding = header.alg.startsWith('PS') ? { padding: 6, saltLength: 32 } : {}
  const signature = sign(hash, Buffer.from(content), { key, dsaEncoding: 'ieee-p1363', ...padding })
  return `${content}.${signature.toString('base64url')}`
}

describe('signed tokens', () => {
  const url = fileOf('keys.json', [
    jwkOf(rsa.publicKey, 'r'),
    jwkOf(ec.publicKey, 'e', { alg: 'ES256', use: 'sig' }),
    jwkOf(ed.publicKey, 'd'),
    { kty: 'oct', k: 'c2VjcmV0', kid: 'secret' },
  ])
  const check = signedTokens(keySetAt(url, { refreshMs: 60_000, now: () => NOW }), RULES, () => NOW)

  it.each([
    ['RS256', rsa.privateKey, 'r'],
    ['PS256', rsa.privateKey, 'r'],
    ['RS512', rsa.privateKey, undefined],
    ['ES256', ec.privateKey, 'e'],
    ['EdDSA', ed.privateKey, 'd'],
  ])('by %s name the user', async (alg, key, kid) => {
    const token = tokenOf(key, { alg, ...(kid !== undefined && { kid }) })
    expect(await check(token)).toEqual({ name: 'alice', expiresAtMs: NOW + 60_000 })
  })

  const good = { alg: 'ES256', kid: 'e' }
  const changed = (change: object) => tokenOf(ec.privateKey, good, { ...claims, ...change })
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  it.each([
    ['of another key', tokenOf(other, good)],
    ['of another key id', tokenOf(ec.privateKey, { alg: 'ES256', kid: 'x' })],
    ['without signature', `${part({ alg: 'none' })}.${part(claims)}.`],
    ['by a secret', `${part({ alg: 'HS256', kid: 'secret' })}.${part(claims)}.c2ln`],
    ['with an extension that must be known', tokenOf(ec.privateKey, { ...good, crit: ['exp'] })],
    ['that were changed', tokenOf(ec.privateKey, good).replace(/\.[^.]*\./, `.${part({ ...claims, sub: 'bob' })}.`)],
    ['of another issuer', changed({ iss: 'https://other.example' })],
    ['for another audience', changed({ aud: 'other' })],
    ['that have expired', changed({ exp: NOW / 1000 - 31 })],
    ['that never expire', changed({ exp: undefined })],
    ['of the future', changed({ iat: NOW / 1000 + 31 })],
    ['that are not valid yet', changed({ nbf: NOW / 1000 + 31 })],
    ['without time of issue', changed({ iat: undefined })],
    ['without user', changed({ sub: ' ' })],
    ['that are none', 'abc'],
  ])('%s are refused', async (_what, token) => {
    await expect(check(token)).rejects.toMatchObject({ name: 'SaslRefusal' })
  })
})

describe('a key set', () => {
  it('is read again for a key that it does not have, not more often than every 10 s, and old keys stay while it is broken', async () => {
    let now = NOW
    const url = fileOf('rotated.json', [jwkOf(rsa.publicKey, 'old')])
    const keys = keySetAt(url, { refreshMs: 3_600_000, now: () => now })
    expect(await keys.find('old')).toHaveLength(1)
    fileOf('rotated.json', [jwkOf(ec.publicKey, 'new')])
    expect(await keys.find('new')).toEqual([])
    now += 10_000
    expect(await keys.find('new')).toHaveLength(1)
    writeFileSync(url, 'broken')
    now += 3_600_000
    expect(await keys.find('new')).toHaveLength(1)
  })

  it('that cannot be read refuses, until it can', async () => {
    let now = NOW
    const url = pathToFileURL(join(folder, 'later.json'))
    const keys = keySetAt(url, { refreshMs: 3_600_000, now: () => now })
    await expect(keys.find('old')).rejects.toThrow('ENOENT')
    fileOf('later.json', [jwkOf(rsa.publicKey, 'old')])
    await expect(keys.find('old')).rejects.toThrow('ENOENT')
    now += 1000
    expect(await keys.find('old')).toHaveLength(1)
  })
})
