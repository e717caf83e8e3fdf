import { createHmac, createSign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { rsaPair, stranger } from '../../tests/keys.ts'
import { createVerification, encode } from '../../tests/verification.ts'
import { createDevIssuer } from '../testing/dev-issuer.ts'

const { issuer, accepted, refusal, sign, verifier } = await createVerification()
const now = () => Math.floor(Date.now() / 1000)

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
    const { privateKey, publicKey } = rsaPair
    for (const payload of ['null', '[]', '5', '"text"', 'not json']) {
      const input = `${encode({ alg: 'RS256' })}.${Buffer.from(payload).toString('base64url')}`
      const token = `${input}.${createSign('RSA-SHA256').update(input).sign(privateKey, 'base64url')}`
      const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
      expect(await refusal(token, { publicKey: pem })).toBe('malformed')
    }
  })

  it('is any other than the one that was signed, if only by bits that decode to nothing', async () => {
    const token = await sign()
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (const last of alphabet.replace(token.at(-1) ?? '', '')) {
      expect(await refusal(token.slice(0, -1) + last)).toMatch(/^(malformed|signature)$/)
    }
  })

  it('is judged by its own header, whatever the header of the token before was', async () => {
    const one = await verifier()
    const [, payload, signature] = (await sign()).split('.')
    await one.verify(await sign())
    const reason = (header: object) => one.verify(`${encode(header)}.${payload}.${signature}`)
    await expect(reason({ alg: 'none' })).rejects.toMatchObject({ reason: 'algorithm' })
    await expect(reason({ alg: 'RS256', crit: ['exp'], exp: 1 })).rejects.toMatchObject({ reason: 'malformed' })
    await expect(one.verify(`.${payload}.${signature}`)).rejects.toMatchObject({ reason: 'malformed' })
    expect(await one.verify(await sign())).toHaveProperty('name')
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

  it('decisions 1.10: typ may be absent, JWT or at+jwt or application/at+jwt in any case, nothing else', async () => {
    for (const typ of ['JWT', 'jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt', 'Application/AT+JWT'])
      await accepted(issuer.sign({}, { typ }))
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
    const unnamed = { upn: undefined, preferred_username: undefined, sub: undefined }
    expect(await refusal(sign(unnamed))).toBe('principal')
  })
})
