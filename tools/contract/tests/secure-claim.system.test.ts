import { createHmac } from 'node:crypto'
import { createDevIssuer } from '@taproom/jwt/testing'
import { describe, expect, it } from 'vitest'
import { call, target } from './target.ts'

const options = target.issuer === undefined ? {} : { issuer: target.issuer }
const issuer = await createDevIssuer({ ...options, folder: target.keys })
const stranger = await createDevIssuer(options)

const claim = (token: string) => call('/secure/claim', { headers: { authorization: `Bearer ${token}` } })

async function expect401(response: Response): Promise<string> {
  expect(response.status).toBe(401)
  expect(response.headers.get('content-length')).toBe('0')
  expect(await response.text()).toBe('')
  const challenge = response.headers.get('www-authenticate') ?? ''
  expect(challenge).toMatch(/^Bearer realm="/)
  return challenge
}

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

describe('contract 4.1: GET /secure/claim', () => {
  it('answers the preferred_username of a Subscriber as plain text', async () => {
    const response = await claim(await issuer.sign({ user: 'duke', groups: ['Subscriber'] }))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(await response.text()).toBe('duke')
  })

  it('decisions 1.1, 2.18: no token is 401 with a Bearer challenge and no error', async () => {
    expect(await expect401(await call('/secure/claim'))).not.toContain('error')
  })

  it('decisions 1.2: another scheme and an empty token are as good as no token', async () => {
    for (const authorization of ['Basic ZHVrZTpkdWtl', 'Bearer', 'Bearer ']) {
      await expect401(await call('/secure/claim', { headers: { authorization } }))
    }
  })

  it('decisions 1.5: other groups are 403 exactly as the error table says', async () => {
    const response = await claim(await issuer.sign({ groups: ['Visitor'] }))
    expect(response.status).toBe(403)
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    expect(response.headers.get('content-length')).toBe('9')
    expect(await response.text()).toBe('Forbidden')
  })

  it('decisions 1.7: a valid token without preferred_username is 204', async () => {
    expect((await claim(await issuer.sign({ preferred_username: undefined }))).status).toBe(204)
  })

  it('contract 7: a modified token is 401', async () => {
    const [header, payload, signature] = (await issuer.sign({ groups: ['Visitor'] })).split('.')
    const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString())
    const modified = `${header}.${base64url({ ...claims, groups: ['Subscriber'] })}.${signature}`
    expect(await expect401(await claim(modified))).toContain('error="invalid_token"')
  })

  it('contract 7: an expired token is 401', async () => {
    await expect401(await claim(await issuer.sign({ expiresInSeconds: -10 })))
  })

  it('contract 7: a wrong issuer is 401', async () => {
    await expect401(await claim(await issuer.sign({ iss: 'https://elsewhere.example' })))
  })

  it('contract 7: a token of another key is 401', async () => {
    await expect401(await claim(await stranger.sign()))
  })

  it('contract 5: unsigned and symmetrically signed tokens are 401', async () => {
    const [, payload] = (await issuer.sign()).split('.')
    await expect401(await claim(`${base64url({ alg: 'none', typ: 'JWT' })}.${payload}.`))
    const head = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${payload}`
    const signature = createHmac('sha256', issuer.publicKeyPem).update(head).digest('base64url')
    await expect401(await claim(`${head}.${signature}`))
  })

  it.each(['abc', 'a.b.c', '....', '%00'])('contract 7: garbage is 401: %s', async (token) => {
    await expect401(await claim(token))
  })

  it('decisions 1.6: an invalid token is 401 even if the role is missing too', async () => {
    await expect401(await claim(await issuer.sign({ groups: [], expiresInSeconds: -10 })))
  })

  it('decisions 1.74: a wrong method is 405 with Allow, with or without a token', async () => {
    for (const headers of [{}, { authorization: `Bearer ${await issuer.sign()}` }]) {
      const response = await call('/secure/claim', { method: 'POST', headers })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toContain('GET')
    }
  })
})
