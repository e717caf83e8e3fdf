import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createDevIssuer, type DevClaims, type DevIssuer } from '@taproom/jwt/testing'
import type { Env } from '@taproom/service'
import { eventually } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'
import { startClaimService } from './claim-service.ts'

describe('the MicroProfile JWT properties', () => {
  let folder: string
  let issuer: DevIssuer
  let keyEnv: Env
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'claim-api-'))
    issuer = await createDevIssuer({ folder })
    keyEnv = { MP_JWT_VERIFY_PUBLICKEY_LOCATION: issuer.publicKeyFile, MP_JWT_VERIFY_ISSUER: issuer.issuer }
  })
  afterAll(() => rm(folder, { recursive: true }))

  async function status(env: Env, token: string, header = 'Authorization', prefix = 'Bearer '): Promise<number> {
    await using service = await startClaimService(env)
    return (await fetch(`${service.url}/secure/claim`, { headers: { [header]: prefix + token } })).status
  }
  const statusOf = async (env: Env, claims?: DevClaims) => status({ ...keyEnv, ...env }, await issuer.sign(claims))
  const only = (env: Env) => async () => status({ MP_JWT_VERIFY_ISSUER: issuer.issuer, ...env }, await issuer.sign())
  const start = async (env: Env) =>
    startClaimService(env).then(
      () => 'started',
      (error: unknown) => String(error),
    )

  it('mp.jwt.verify.publickey takes PEM, JWK, JWKS, and the last two in Base64URL', async () => {
    const jwk = JSON.stringify(issuer.jwk)
    const jwks = JSON.stringify({ keys: [issuer.jwk] })
    const encoded = [jwk, jwks].map((text) => Buffer.from(text).toString('base64url'))
    for (const key of [issuer.publicKeyPem, jwk, jwks, ...encoded]) {
      expect(await only({ MP_JWT_VERIFY_PUBLICKEY: key })()).toBe(200)
    }
  })

  it('mp.jwt.verify.publickey.location takes a path and a file: URL', async () => {
    const path = issuer.publicKeyFile ?? ''
    expect(await only({ MP_JWT_VERIFY_PUBLICKEY_LOCATION: path })()).toBe(200)
    expect(await only({ MP_JWT_VERIFY_PUBLICKEY_LOCATION: pathToFileURL(path).href })()).toBe(200)
  })

  it('mp.jwt.verify.publickey.algorithm is the only one accepted', async () => {
    const es = await createDevIssuer({ algorithm: 'ES256' })
    const env = {
      MP_JWT_VERIFY_PUBLICKEY: es.publicKeyPem,
      MP_JWT_VERIFY_ISSUER: es.issuer,
      MP_JWT_VERIFY_PUBLICKEY_ALGORITHM: 'ES256',
    }
    expect(await status(env, await es.sign())).toBe(200)
    expect(await status(env, await issuer.sign())).toBe(401)
    expect(await status(keyEnv, await es.sign())).toBe(401)
  })

  it('mp.jwt.verify.issuer is one issuer or a comma separated list', async () => {
    const list = { MP_JWT_VERIFY_ISSUER: 'https://a.example, https://b.example' }
    expect(await statusOf(list, { iss: 'https://b.example' })).toBe(200)
    expect(await statusOf(list, { iss: 'https://c.example' })).toBe(401)
    expect(await statusOf(list)).toBe(401)
  })

  it('mp.jwt.verify.audiences is checked when set', async () => {
    expect(await statusOf({}, { aud: 'anything' })).toBe(200)
    expect(await statusOf({ MP_JWT_VERIFY_AUDIENCES: 'x, y' }, { aud: ['y'] })).toBe(200)
    expect(await statusOf({ MP_JWT_VERIFY_AUDIENCES: 'x, y' }, { aud: 'z' })).toBe(401)
    expect(await statusOf({ MP_JWT_VERIFY_AUDIENCES: 'x, y' }, { aud: undefined })).toBe(401)
  })

  it('mp.jwt.verify.clock.skew extends exp', async () => {
    expect(await statusOf({ MP_JWT_VERIFY_CLOCK_SKEW: '60' }, { expiresInSeconds: -10 })).toBe(200)
    expect(await statusOf({}, { expiresInSeconds: -10 })).toBe(401)
  })

  it('mp.jwt.verify.token.age limits the time since iat', async () => {
    const iat = Math.floor(Date.now() / 1000) - 120
    expect(await statusOf({ MP_JWT_VERIFY_TOKEN_AGE: '100' }, { iat })).toBe(401)
    expect(await statusOf({ MP_JWT_VERIFY_TOKEN_AGE: '1000' }, { iat })).toBe(200)
  })

  it('mp.jwt.token.header and mp.jwt.token.cookie move the token into a cookie', async () => {
    const token = await issuer.sign()
    const cookie = { ...keyEnv, MP_JWT_TOKEN_HEADER: 'Cookie' }
    expect(await status(cookie, token, 'Cookie', 'Bearer=')).toBe(200)
    expect(await status(cookie, token)).toBe(401)
    expect(await status({ ...cookie, MP_JWT_TOKEN_COOKIE: 'session' }, token, 'Cookie', 'session=')).toBe(200)
    expect(await status(keyEnv, token, 'Cookie', 'Bearer=')).toBe(401)
  })

  it('decisions 1.14: com.developers.redhat.jwt.duration is no verification rule', async () => {
    const iat = Math.floor(Date.now() / 1000) - 120
    expect(await statusOf({ COM_DEVELOPERS_REDHAT_JWT_DURATION: '60' }, { iat })).toBe(200)
  })

  it('are found under their own names too', async () => {
    const env = { 'mp.jwt.verify.publickey.location': issuer.publicKeyFile, mp_jwt_verify_issuer: issuer.issuer }
    expect(await status(env, await issuer.sign())).toBe(200)
  })

  it('decisions 3.1: without a key or an issuer the service does not start, and says so at once', async () => {
    const problem = await start({})
    expect(problem).toContain('MP_JWT_VERIFY_PUBLICKEY_LOCATION')
    expect(problem).toContain('MP_JWT_VERIFY_ISSUER')
  })

  it.each<[string, Env, string]>([
    ['both keys', { MP_JWT_VERIFY_PUBLICKEY: 'x' }, 'MP_JWT_VERIFY_PUBLICKEY'],
    ['a missing file', { MP_JWT_VERIFY_PUBLICKEY_LOCATION: '/missing.pem' }, 'MP_JWT_VERIFY_PUBLICKEY_LOCATION'],
    ['an unknown scheme', { MP_JWT_VERIFY_PUBLICKEY_LOCATION: 'ftp://x/y' }, 'MP_JWT_VERIFY_PUBLICKEY_LOCATION'],
    ['another algorithm', { MP_JWT_VERIFY_PUBLICKEY_ALGORITHM: 'HS256' }, 'MP_JWT_VERIFY_PUBLICKEY_ALGORITHM'],
    ['a negative skew', { MP_JWT_VERIFY_CLOCK_SKEW: '-1' }, 'MP_JWT_VERIFY_CLOCK_SKEW'],
    ['an age of no number', { MP_JWT_VERIFY_TOKEN_AGE: 'soon' }, 'MP_JWT_VERIFY_TOKEN_AGE'],
    ['proxies that are no addresses', { HTTP_TRUSTED_PROXIES: '10.0.0.0/8, gateway' }, 'HTTP_TRUSTED_PROXIES'],
    ['an unknown header', { MP_JWT_TOKEN_HEADER: 'X-Token' }, 'MP_JWT_TOKEN_HEADER'],
    ['an impossible cookie name', { MP_JWT_TOKEN_HEADER: 'Cookie', MP_JWT_TOKEN_COOKIE: 'a b' }, 'MP_JWT_TOKEN_COOKIE'],
  ])('with %s the service does not start and names the variable', async (_, env, variable) => {
    expect(await start({ ...keyEnv, ...env })).toContain(variable)
  })

  it.each([
    ['http://keys.example/jwks?secret=1', 'http://keys.example/jwks'],
    ['HTTP://127.0.0.1/jwks', 'http://127.0.0.1/jwks'],
    ['http:keys.example', 'http://keys.example/'],
  ])(
    'in production the key location %s stops the start, naming variable, value and what is expected',
    async (location, shown) => {
      const production = { ...keyEnv, NODE_ENV: 'production', MP_JWT_VERIFY_PUBLICKEY_LOCATION: location }
      const problem = await start(production)
      expect(problem).toContain(`MP_JWT_VERIFY_PUBLICKEY_LOCATION: "${shown}"`)
      expect(problem).toContain('expected https:')
      expect(problem).not.toContain('secret')
      expect(() => readConfig({ ...production, JWT_ALLOW_HTTP_KEY_LOCATION: 'true' })).not.toThrow()
      expect(() => readConfig({ ...production, NODE_ENV: 'development' })).not.toThrow()
      const https = { ...production, MP_JWT_VERIFY_PUBLICKEY_LOCATION: 'https://keys.example/jwks' }
      expect(() => readConfig(https)).not.toThrow()
    },
  )

  it('a private key or garbage in the key file stops the start', async () => {
    for (const [file, problem] of [
      [join(folder, 'private-key.pem'), 'private'],
      [import.meta.filename, 'expected a public key as PEM'],
    ] as const) {
      const message = await start({ ...keyEnv, MP_JWT_VERIFY_PUBLICKEY_LOCATION: file })
      expect(message).toContain('MP_JWT_VERIFY_PUBLICKEY_LOCATION')
      expect(message).toContain(problem)
      expect(message).not.toContain('BEGIN')
    }
  })

  it('decisions 1.15: with its key host down the service starts, is not ready, and refuses; then it recovers', async () => {
    // It keeps its port, which another process could take.
    let isUp = false
    const host = createServer(({ socket }, res) =>
      isUp ? res.end(JSON.stringify({ keys: [issuer.jwk] })) : socket.destroy(),
    )
    host.listen(0, '127.0.0.1')
    await once(host, 'listening')
    const { port } = host.address() as AddressInfo

    await using service = await startClaimService({
      MP_JWT_VERIFY_PUBLICKEY_LOCATION: `http://127.0.0.1:${port}/jwks`,
      MP_JWT_VERIFY_ISSUER: issuer.issuer,
    })
    const headers = { Authorization: `Bearer ${await issuer.sign()}` }
    const claim = async () => (await fetch(`${service.url}/secure/claim`, { headers })).status
    const ready = async () => (await fetch(`${service.url}/q/health/ready`)).status
    expect(await claim()).toBe(401)
    expect(await ready()).toBe(503)
    expect((await fetch(`${service.url}/q/health/live`)).status).toBe(200)

    isUp = true
    await eventually(async () => expect(await ready()).toBe(200))
    expect(await claim()).toBe(200)
    host.closeAllConnections()
    host.close()
  })
})
