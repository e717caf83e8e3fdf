import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createDevIssuer } from '@taproom/jwt/testing'
import type { Env } from '@taproom/service'
import { eventually } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'
import { startClaimService } from './claim-service.ts'

const staff = await createDevIssuer({ issuer: 'https://staff.example', kid: 'key-1' })
const partner = await createDevIssuer({ issuer: 'https://partner.example', kid: 'key-1', algorithm: 'ES256' })
const DEFAULT = { MP_JWT_VERIFY_PUBLICKEY: staff.publicKeyPem, MP_JWT_VERIFY_ISSUER: staff.issuer }
const PARTNER = {
  JWT_ISSUER_NAMES: 'partner',
  MP_JWT_VERIFY_PARTNER_ISSUER: partner.issuer,
  MP_JWT_VERIFY_PARTNER_PUBLICKEY: partner.publicKeyPem,
  MP_JWT_VERIFY_PARTNER_PUBLICKEY_ALGORITHM: 'ES256',
}

type Token = string | Promise<string>
async function ask(env: Env, token: Token): Promise<Response> {
  await using service = await startClaimService(env)
  return await fetch(`${service.url}/secure/claim`, { headers: { Authorization: `Bearer ${await token}` } })
}
const status = async (env: Env, token: Token) => (await ask(env, token)).status

function problemsOf(env: Env): string {
  try {
    readConfig(env)
    return ''
  } catch (error) {
    return String(error)
  }
}

async function listen(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

describe('decisions 3.32: named issuers', () => {
  it('are accepted beside the default one, each with its own keys and algorithm', async () => {
    const env = { ...DEFAULT, ...PARTNER }
    expect(await status(env, staff.sign())).toBe(200)
    expect(await status(env, partner.sign())).toBe(200)
    expect(await status(env, staff.sign({ iss: partner.issuer }))).toBe(401)
    expect(await status(env, partner.sign({ iss: staff.issuer }))).toBe(401)
  })

  it('may be the only ones', async () => {
    expect(await status(PARTNER, partner.sign())).toBe(200)
    expect(await status(PARTNER, staff.sign())).toBe(401)
  })

  it('have audiences of their own', async () => {
    const env = { ...DEFAULT, ...PARTNER, MP_JWT_VERIFY_PARTNER_AUDIENCES: 'beers, ales' }
    expect(await status(env, partner.sign({ aud: 'ales' }))).toBe(200)
    expect(await status(env, partner.sign({ aud: 'taproom' }))).toBe(401)
    expect(await status(env, staff.sign({ aud: 'taproom' }))).toBe(200)
  })

  it.each<[string, Env, string]>([
    ['no issuer', { MP_JWT_VERIFY_PARTNER_ISSUER: '' }, 'MP_JWT_VERIFY_PARTNER_ISSUER is not set'],
    ['no key', { MP_JWT_VERIFY_PARTNER_PUBLICKEY: '' }, 'MP_JWT_VERIFY_PARTNER_PUBLICKEY_LOCATION'],
    ['two keys', { MP_JWT_VERIFY_PARTNER_PUBLICKEY_LOCATION: 'x' }, 'MP_JWT_VERIFY_PARTNER_PUBLICKEY:'],
    ['a key and discovery', { MP_JWT_VERIFY_PARTNER_DISCOVERY: 'true' }, 'MP_JWT_VERIFY_PARTNER_DISCOVERY'],
    ['HS256', { MP_JWT_VERIFY_PARTNER_PUBLICKEY_ALGORITHM: 'HS256' }, 'MP_JWT_VERIFY_PARTNER_PUBLICKEY_ALGORITHM'],
    ['a name in capitals', { JWT_ISSUER_NAMES: 'Partner' }, 'JWT_ISSUER_NAMES'],
    ['a name twice', { JWT_ISSUER_NAMES: 'partner, partner' }, 'JWT_ISSUER_NAMES'],
    ['a name of MicroProfile', { JWT_ISSUER_NAMES: 'publickey' }, 'JWT_ISSUER_NAMES'],
    ['a key of no issuer', { MP_JWT_VERIFY_PUBLICKEY: 'x' }, 'MP_JWT_VERIFY_ISSUER'],
  ])('do not start with %s', (_, env, problem) => {
    expect(problemsOf({ ...PARTNER, ...env })).toContain(problem)
  })

  it('do not start with the key of another algorithm, and say whose it is', async () => {
    const env = { ...PARTNER, MP_JWT_VERIFY_PARTNER_PUBLICKEY: staff.publicKeyPem }
    await expect(startClaimService(env)).rejects.toThrow('MP_JWT_VERIFY_PARTNER_PUBLICKEY')
  })

  it.each<[Env, string]>([
    [{ MP_JWT_VERIFY_PARTNER_PUBLICKEY_LOCATION: 'http://keys.example/x' }, 'MP_JWT_VERIFY_PARTNER_PUBLICKEY_LOCATION'],
    [{ MP_JWT_VERIFY_PARTNER_ISSUER: 'http://id.example', MP_JWT_VERIFY_PARTNER_DISCOVERY: 'true' }, 'PARTNER_ISSUER'],
  ])('in production do not start with keys over http: %j', (env, problem) => {
    const production = { ...PARTNER, MP_JWT_VERIFY_PARTNER_PUBLICKEY: '', NODE_ENV: 'production', ...env }
    expect(problemsOf(production)).toContain(problem)
    expect(problemsOf({ ...production, JWT_ALLOW_HTTP_KEY_LOCATION: 'true' })).toBe('')
  })
})

it('decisions 3.33: MP_JWT_VERIFY_DISCOVERY finds the keys at the issuer, not ready while it does not answer', async () => {
  let isUp = false
  const { url, close } = await listen((req, res) => {
    if (!isUp) res.writeHead(500).end()
    else if (req.url === '/realm/.well-known/openid-configuration')
      res.end(JSON.stringify({ issuer: `${url}/realm`, jwks_uri: `${url}/keys` }))
    else res.end(JSON.stringify({ keys: [staff.jwk] }))
  })
  const env = { MP_JWT_VERIFY_ISSUER: `${url}/realm`, MP_JWT_VERIFY_DISCOVERY: 'true' }
  await using service = await startClaimService(env)
  const headers = { Authorization: `Bearer ${await staff.sign({ iss: `${url}/realm` })}` }
  const claim = async () => (await fetch(`${service.url}/secure/claim`, { headers })).status
  const ready = async () => (await fetch(`${service.url}/q/health/ready`)).status
  expect([await claim(), await ready()]).toEqual([401, 503])
  isUp = true
  await eventually(async () => expect(await ready()).toBe(200))
  expect(await claim()).toBe(200)
  close()
  expect(problemsOf({ ...env, NODE_ENV: 'production' })).toContain('MP_JWT_VERIFY_ISSUER')
})

it('decisions 3.31: MP_JWT_VERIFY_PUBLICKEY_ALGORITHM may be a list', async () => {
  const keys = JSON.stringify({ keys: [staff.jwk, { ...partner.jwk, kid: 'es' }] })
  const env = { MP_JWT_VERIFY_PUBLICKEY: keys, MP_JWT_VERIFY_ISSUER: `${staff.issuer},${partner.issuer}` }
  const list = { ...env, MP_JWT_VERIFY_PUBLICKEY_ALGORITHM: 'RS256, ES256' }
  expect(await status(list, staff.sign())).toBe(200)
  expect(await status(list, partner.sign({}, { kid: 'es' }))).toBe(200)
  expect(await status(env, partner.sign({}, { kid: 'es' }))).toBe(401)
})

it('decisions 3.34: JWT_TOKEN_PROFILE=rfc9068 and JWT_TOKEN_TYPES say what a token must be', async () => {
  const typed = (typ?: string) => staff.sign({ client_id: 'c' }, { typ } as object)
  const profile = { ...DEFAULT, JWT_TOKEN_PROFILE: 'rfc9068', MP_JWT_VERIFY_AUDIENCES: 'taproom' }
  expect(await status(profile, typed('at+jwt'))).toBe(200)
  expect(await status(profile, typed('JWT'))).toBe(401)
  expect(await status(profile, staff.sign({}, { typ: 'at+jwt' }))).toBe(401)
  const types = { ...DEFAULT, JWT_TOKEN_TYPES: 'at+jwt, none' }
  expect(await status(types, typed('at+jwt'))).toBe(200)
  expect(await status(types, typed())).toBe(200)
  expect(await status(types, typed('JWT'))).toBe(401)
})

it('decisions 3.34: JWT_REQUIRED_SCOPES are needed beside the role', async () => {
  const env = { ...DEFAULT, JWT_REQUIRED_SCOPES: 'claim:read, openid' }
  expect(await status(env, staff.sign({ scope: 'openid claim:read' }))).toBe(200)
  const refused = await ask(env, staff.sign({ scope: 'openid' }))
  expect(refused.status).toBe(403)
  const challenge = 'Bearer realm="taproom", error="insufficient_scope", scope="claim:read openid"'
  expect(refused.headers.get('www-authenticate')).toBe(challenge)
  expect(await status(env, staff.sign({ scope: 'openid claim:read', groups: [] }))).toBe(403)
  expect(problemsOf({ ...DEFAULT, JWT_REQUIRED_SCOPES: 'a"b' })).toContain('JWT_REQUIRED_SCOPES')
})

describe('decisions 3.36: introspection', () => {
  let url: string
  let close: () => void
  let answer: (req: IncomingMessage, body: string) => object | undefined
  beforeAll(async () => {
    ;({ url, close } = await listen(async (req, res) => {
      const facts = answer(req, await text(req))
      if (facts === undefined) res.writeHead(500)
      res.end(JSON.stringify(facts ?? {}))
    }))
  })
  afterAll(() => close())
  const env = (more: Env = {}): Env => ({
    ...DEFAULT,
    JWT_INTROSPECTION_URL: url,
    JWT_INTROSPECTION_CLIENT_ID: 'claim-api',
    JWT_INTROSPECTION_CLIENT_SECRET: 'hidden',
    ...more,
  })
  const exp = Math.floor(Date.now() / 1000) + 600
  const facts = { active: true, iss: staff.issuer, exp, iat: exp - 600, sub: 'd', preferred_username: 'duke' }

  it('accepts an opaque token that the issuer calls active, and is 503 while it says nothing', async () => {
    const asked: unknown[] = []
    answer = (req, body) => {
      asked.push([req.headers.authorization, body])
      return { ...facts, groups: ['Subscriber'] }
    }
    expect(await (await ask(env(), 'opaque')).text()).toBe('duke')
    const basic = `Basic ${Buffer.from('claim-api:hidden').toString('base64')}`
    expect(asked).toEqual([[basic, 'token=opaque&token_type_hint=access_token']])
    answer = () => ({ ...facts, active: false })
    expect(await status(env(), 'opaque')).toBe(401)
    answer = () => undefined
    const unknown = await ask(env(), 'opaque')
    expect([unknown.status, unknown.headers.get('retry-after')]).toEqual([503, '1'])
  })

  it('JWT_INTROSPECTION_TOKENS=all asks about JWTs too', async () => {
    answer = () => ({ active: false })
    expect(await status(env(), staff.sign())).toBe(200)
    expect(await status(env({ JWT_INTROSPECTION_TOKENS: 'all' }), staff.sign())).toBe(401)
  })

  it('describes its 503', async () => {
    const described = async (more: Env) => {
      await using service = await startClaimService(more)
      const document = await (await fetch(`${service.url}/q/openapi?format=json`)).json()
      return Object.keys(
        (document as { paths: Record<string, never> }).paths['/secure/claim']?.['get']?.['responses'] ?? {},
      )
    }
    expect(await described(env())).toContain('503')
    expect(await described(DEFAULT)).not.toContain('503')
  })

  it.each<[Env, string]>([
    [{ JWT_INTROSPECTION_CLIENT_ID: '' }, 'JWT_INTROSPECTION_CLIENT_ID'],
    [{ JWT_INTROSPECTION_CLIENT_SECRET: '' }, 'JWT_INTROSPECTION_CLIENT_SECRET'],
    [{ JWT_INTROSPECTION_URL: 'x' }, 'JWT_INTROSPECTION_URL'],
    [{ JWT_INTROSPECTION_TOKENS: 'some' }, 'JWT_INTROSPECTION_TOKENS'],
    [{ JWT_INTROSPECTION_TIMEOUT_MS: '0' }, 'JWT_INTROSPECTION_TIMEOUT_MS'],
    [{ JWT_INTROSPECTION_CACHE_SECONDS: '-1' }, 'JWT_INTROSPECTION_CACHE_SECONDS'],
    [{ NODE_ENV: 'production' }, 'JWT_INTROSPECTION_URL'],
  ])('does not start with %j', (more, problem) => {
    const problems = problemsOf(env(more))
    expect(problems).toContain(problem)
    expect(problems).not.toContain('hidden')
  })
})

it('decisions 3.37: MP_JWT_DECRYPT_KEY_LOCATION wants every token encrypted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'claim-api-'))
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const file = join(folder, 'key.pem')
  await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const env = { ...DEFAULT, MP_JWT_DECRYPT_KEY_LOCATION: file }
  const refused = await ask(env, staff.sign())
  expect(refused.status).toBe(401)
  expect(refused.headers.get('www-authenticate')).toContain('not encrypted')
  expect(problemsOf({ ...env, MP_JWT_DECRYPT_KEY_ALGORITHM: 'RSA1_5' })).toContain('MP_JWT_DECRYPT_KEY_ALGORITHM')
  expect(readConfig({ ...env, MP_JWT_DECRYPT_KEY_ALGORITHM: 'RSA-OAEP-256' }).jwt.verifier.decryptKeyAlgorithm).toBe(
    'RSA-OAEP-256',
  )
  await expect(startClaimService({ ...DEFAULT, MP_JWT_DECRYPT_KEY_LOCATION: '/missing' })).rejects.toThrow(
    'MP_JWT_DECRYPT_KEY_LOCATION',
  )
  await rm(folder, { recursive: true })
})

it('decisions 3.39: is told that it runs in production', () => {
  expect(readConfig({ ...DEFAULT, NODE_ENV: 'production' }).jwt.verifier.isProduction).toBe(true)
  expect(readConfig(DEFAULT).jwt.verifier.isProduction).toBe(false)
})
