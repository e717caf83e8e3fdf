import { once } from 'node:events'
import { request } from 'node:http'
import { startHttpServer } from '@taproom/testkit'
import express from 'express'
import { afterAll, describe, expect, it } from 'vitest'
import {
  type AuthenticateOptions,
  authenticate,
  callerOf,
  createJwtVerifier,
  JwtConfigError,
  requireRole,
  VerifierBusyError,
} from '../src/index.ts'
import type { DevClaims } from '../src/testing/index.ts'
import { issuer } from './keys.ts'

interface Answer {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

describe('authenticate and requireRole', () => {
  const servers = new AsyncDisposableStack()
  afterAll(() => servers.disposeAsync())
  const listen = async (app: express.Express) => servers.use(await startHttpServer(app)).url

  async function serve(options?: AuthenticateOptions): Promise<string> {
    const verifier = await createJwtVerifier({ publicKey: issuer.publicKeyPem, issuers: [issuer.issuer] })
    const app = express()
    app.use(authenticate(verifier, options))
    app.get('/me', (req, res) => {
      res.send(callerOf(req)?.name ?? 'nobody')
    })
    app.get('/subscribers', requireRole('Subscriber', 'Owner'), (_, res) => {
      res.send('welcome')
    })
    return listen(app)
  }

  /** Unlike fetch, sends headers as they are: repeated, or not quite right. */
  async function get(url: string, headers: Record<string, string | string[]> = {}): Promise<Answer> {
    const req = request(url, { headers, agent: false })
    req.end()
    const [res] = await once(req, 'response')
    const chunks: Buffer[] = []
    for await (const chunk of res) chunks.push(chunk)
    return { status: res.statusCode, headers: res.headers, body: Buffer.concat(chunks).toString() }
  }

  const bearer = async (claims?: DevClaims) => ({ Authorization: `Bearer ${await issuer.sign(claims)}` })

  it('lets a valid token pass and tells who sent it', async () => {
    const answer = await get(`${await serve()}/me`, await bearer({ user: 'duke' }))
    expect(answer).toMatchObject({ status: 200, body: 'duke@taproom.example' })
  })

  it('decisions 1.1: no Authorization header is 401, empty, with a challenge without an error', async () => {
    const answer = await get(`${await serve()}/me`)
    expect(answer).toMatchObject({ status: 401, body: '' })
    expect(answer.headers).toMatchObject({ 'www-authenticate': 'Bearer realm="api"', 'content-length': '0' })
    expect(answer.headers).not.toHaveProperty('content-type')
  })

  it.each([
    'Basic dTpw',
    'Bearer',
    'Bearer ',
    'Bearer    ',
    'BearerX a.b.c',
    'Digest username="Bearer"',
    '',
    'Negotiate',
  ])('decisions 1.2: the header "%s" counts as absent', async (Authorization) => {
    const answer = await get(`${await serve()}/me`, { Authorization })
    expect(answer).toMatchObject({ status: 401, body: '' })
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="api"')
  })

  it.each(['bearer', 'BEARER', 'Bearer  '])('takes the scheme "%s" in any case and spacing', async (scheme) => {
    const Authorization = `${scheme} ${await issuer.sign()}`
    expect(await get(`${await serve()}/me`, { Authorization })).toMatchObject({ status: 200 })
  })

  it.each([
    ['a malformed', 'x.y', 'The token is not a signed JWT in compact form'],
    ['an expired', { expiresInSeconds: -5 }, 'The token has expired'],
    ["another issuer's", { iss: 'https://other.example' }, 'The issuer is not accepted'],
    ['an incomplete', { iat: undefined }, 'A required claim is missing or invalid'],
  ])('decisions 1.3: %s token is 401, empty, with the reason in the challenge', async (_, claims, reason) => {
    const token = typeof claims === 'string' ? claims : await issuer.sign(claims)
    const answer = await get(`${await serve({ realm: 'beer' })}/me`, { Authorization: `Bearer ${token}` })
    expect(answer).toMatchObject({ status: 401, body: '' })
    expect(answer.headers).toMatchObject({
      'www-authenticate': `Bearer realm="beer", error="invalid_token", error_description="${reason}"`,
      'content-length': '0',
    })
  })

  it('decisions 1.4: two bearer tokens are 400 invalid_request', async () => {
    const { Authorization } = await bearer()
    const answer = await get(`${await serve()}/me`, { Authorization: [Authorization, Authorization] })
    expect(answer.status).toBe(400)
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="api", error="invalid_request", /)
    expect(answer.headers['content-type']).toBe('application/problem+json')
    expect(JSON.parse(answer.body)).toMatchObject({ status: 400, title: 'Bad Request' })
  })

  it.each([', ', ',', ' ,  '])(
    'decisions 1.4: so are two that a proxy joined with %j into one header',
    async (comma) => {
      const { Authorization } = await bearer()
      const answer = await get(`${await serve()}/me`, { Authorization: Authorization + comma + Authorization })
      expect(answer.status).toBe(400)
      expect(answer.headers['www-authenticate']).toContain('error="invalid_request"')
    },
  )

  it.each([',', ', Basic dTpw', ', Bearer', ', Bearer '])(
    'decisions 1.4: a bearer token followed by %j is one that is malformed',
    async (rest) => {
      const { Authorization } = await bearer()
      const answer = await get(`${await serve()}/me`, { Authorization: Authorization + rest })
      expect(answer.status).toBe(401)
      expect(answer.headers['www-authenticate']).toContain('error="invalid_token"')
    },
  )

  it('decisions 1.4: one bearer token beside another scheme is not two', async () => {
    const { Authorization } = await bearer()
    expect(await get(`${await serve()}/me`, { Authorization: ['Basic dTpw', Authorization] })).toMatchObject({
      status: 200,
    })
  })

  it('decisions 1.4: only the configured transport is looked at', async () => {
    const token = await issuer.sign()
    const inCookie = { Cookie: `a=b; Bearer=${token}; c=d` }
    const inHeader = { Authorization: `Bearer ${token}` }
    const byHeader = await serve()
    expect(await get(`${byHeader}/me`, inCookie)).toMatchObject({ status: 401 })
    expect(await get(`${byHeader}/me`, { ...inHeader, Cookie: 'Bearer=garbage' })).toMatchObject({ status: 200 })
    const byCookie = await serve({ header: 'Cookie' })
    expect(await get(`${byCookie}/me`, inHeader)).toMatchObject({ status: 401 })
    expect(await get(`${byCookie}/me`, { ...inCookie, Authorization: 'Bearer x' })).toMatchObject({ status: 200 })
  })

  it('finds the token in the cookie of the configured name only', async () => {
    const token = await issuer.sign()
    const url = await serve({ header: 'Cookie', cookie: 'session' })
    expect(await get(`${url}/me`, { Cookie: `session=${token}` })).toMatchObject({ status: 200 })
    expect(await get(`${url}/me`, { Cookie: `session="${token}"` })).toMatchObject({ status: 200 })
    expect(await get(`${url}/me`, { Cookie: `Session=${token}` })).toMatchObject({ status: 401 })
    expect(await get(`${url}/me`, { Cookie: `xsession=${token}; session=` })).toMatchObject({ status: 401 })
    expect(await get(`${url}/me`, { Cookie: `session=${token}; session=${token}` })).toMatchObject({ status: 400 })
  })

  it('decisions 1.5: without the role the answer is 403 Forbidden, nine octets', async () => {
    const answer = await get(`${await serve()}/subscribers`, await bearer({ groups: ['subscriber'] }))
    expect(answer).toMatchObject({ status: 403, body: 'Forbidden' })
    expect(answer.headers).toMatchObject({ 'content-type': 'application/octet-stream', 'content-length': '9' })
  })

  it('any one of the roles suffices', async () => {
    const url = await serve()
    expect(await get(`${url}/subscribers`, await bearer({ groups: ['Owner'] }))).toMatchObject({ status: 200 })
    expect(await get(`${url}/subscribers`, await bearer({ groups: ['x', 'Subscriber'] }))).toMatchObject({
      status: 200,
    })
  })

  it('decisions 1.6: a bad token is 401 even when the role is missing too', async () => {
    const headers = await bearer({ groups: [], expiresInSeconds: -5 })
    expect(await get(`${await serve()}/subscribers`, headers)).toMatchObject({ status: 401 })
  })

  it('without groups, authentication alone is enough where no role is asked for', async () => {
    const url = await serve()
    const headers = await bearer({ groups: undefined })
    expect(await get(`${url}/me`, headers)).toMatchObject({ status: 200 })
    expect(await get(`${url}/subscribers`, headers)).toMatchObject({ status: 403 })
  })

  it('a role without authentication is 401', async () => {
    const app = express().get('/subscribers', requireRole('Subscriber'), (_, res) => void res.send('welcome'))
    expect(await get(`${await listen(app)}/subscribers`, await bearer())).toMatchObject({ status: 401, body: '' })
  })

  it('tells of every request that it does not let pass, and what the token says of itself', async () => {
    const told: unknown[] = []
    const url = await serve({ onRefusal: (req, refusal) => told.push([req.path, refusal]) })
    const { Authorization } = await bearer({ exp: 5, jti: 'j', sub: 's' })
    await get(`${url}/me`)
    await get(`${url}/me`, { Authorization })
    await get(`${url}/me`, { Authorization: [Authorization, Authorization] })
    await get(`${url}/subscribers`, await bearer({ groups: [], jti: 'k', sub: 't' }))
    await get(`${url}/me`, await bearer())
    expect(told).toEqual([
      ['/me', { status: 401, reason: 'no_token', claimed: {} }],
      ['/me', { status: 401, reason: 'expired', claimed: { kid: '/privateKey.pem', jti: 'j', sub: 's' } }],
      ['/me', { status: 400, reason: 'several_tokens', claimed: {} }],
      ['/subscribers', { status: 403, reason: 'role', claimed: { jti: 'k', sub: 't' } }],
    ])
  })

  it('answers 429 with Retry-After while the verifier is too busy to tell', async () => {
    const busy = { verify: () => Promise.reject(new VerifierBusyError()) }
    const answer = await get(await listen(express().use(authenticate(busy))), { Authorization: 'Bearer x' })
    expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': '1', 'cache-control': 'no-store' } })
    expect(JSON.parse(answer.body)).toMatchObject({ status: 429, title: 'Too Many Requests' })
  })

  it('lets no cache keep what it answers', async () => {
    const url = await serve()
    const { Authorization } = await bearer({ groups: [] })
    const answers = await Promise.all([
      get(`${url}/me`),
      get(`${url}/me`, { Authorization: 'Bearer x' }),
      get(`${url}/me`, { Authorization: [Authorization, Authorization] }),
      get(`${url}/subscribers`, { Authorization }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 400, 403])
    for (const { headers } of answers) expect(headers['cache-control']).toBe('no-store')
  })

  it('passes other errors on to express', async () => {
    const broken = { verify: () => Promise.reject(new Error('broken')) }
    const app = express().use(authenticate(broken), () => {})
    const errors: unknown[] = []
    app.use(((error, _req, res, _next) => {
      errors.push(error)
      res.status(500).end()
    }) as express.ErrorRequestHandler)
    expect(await get(await listen(app), { Authorization: 'Bearer x' })).toMatchObject({ status: 500 })
    expect(errors).toHaveLength(1)
  })

  it.each<[AuthenticateOptions, string]>([
    [{ header: 'X-Token' as 'Cookie' }, 'mp.jwt.token.header'],
    [{ header: 'Cookie', cookie: 'a b' }, 'mp.jwt.token.cookie'],
    [{ header: 'Cookie', cookie: '' }, 'mp.jwt.token.cookie'],
    [{ realm: 'a"b' }, 'realm'],
  ])('refuses the options %j', async (options, property) => {
    const verifier = await createJwtVerifier({ publicKey: issuer.publicKeyPem, issuers: ['i'] })
    expect(() => authenticate(verifier, options)).toThrow(expect.objectContaining({ property }))
    expect(() => authenticate(verifier, options)).toThrow(JwtConfigError)
  })
})
