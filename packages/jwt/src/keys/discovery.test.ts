import { createServer, type RequestListener } from 'node:http'
import { eventually, startHttpServer } from '@taproom/testkit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { issuer, renamed, stranger } from '../../tests/keys.ts'
import { keep } from '../../tests/verification.ts'
import { createJwtVerifier, type JwtVerifier } from '../verifier/verifier.ts'

const ISSUER = 'https://id.example/realms/taproom'
const METADATA = `${ISSUER}/.well-known/openid-configuration`
const KEYS = 'https://keys.example/jwks'
const MINUTE = 60_000
const a = renamed(issuer, { issuer: ISSUER, kid: 'a' })
const b = renamed(stranger, { issuer: ISSUER, kid: 'b' })
const refused = (reason: string) => expect.objectContaining({ code: 'JWT_TOKEN_INVALID', reason })

describe('decisions 3.33: discovery', () => {
  /** What is answered at each address; anything else is 404. */
  let answers: Record<string, () => Response>
  let calls: { url: string; init: RequestInit }[]
  let verifier: JwtVerifier | undefined
  const request = (async (url: URL, init: RequestInit) => {
    calls.push({ url: String(url), init })
    return answers[String(url)]?.() ?? new Response('', { status: 404 })
  }) as typeof fetch
  const metadata = (more: object = {}) => Response.json({ issuer: ISSUER, jwks_uri: KEYS, ...more })
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  const urls = () => calls.map(({ url }) => url)

  beforeEach(() => {
    calls = []
    answers = { [METADATA]: () => metadata(), [KEYS]: () => Response.json({ keys: [a.jwk] }) }
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  })
  afterEach(() => {
    verifier?.[Symbol.dispose]()
    vi.useRealTimers()
  })

  async function open(issuer = ISSUER): Promise<JwtVerifier> {
    verifier = await createJwtVerifier({ issuers: [issuer], discovery: true, fetch: request })
    await pass(0)
    return verifier
  }

  it('reads the metadata of the issuer, and the keys that it names', async () => {
    const verifier = await open()
    expect(await verifier.verify(await a.sign())).toHaveProperty('name')
    expect(urls()).toEqual([METADATA, KEYS])
    expect(verifier.check.check()).toEqual({ status: 'UP', data: { location: METADATA, keys: 1 } })
    for (const { init } of calls) expect(init).toMatchObject({ redirect: 'error', signal: expect.any(AbortSignal) })
  })

  it('knows an issuer that ends with a slash, which stays part of its name', async () => {
    const issuer = 'https://tenant.example/'
    answers['https://tenant.example/.well-known/openid-configuration'] = () => metadata({ issuer })
    const verifier = await open(issuer)
    expect(await verifier.verify(await a.sign({ iss: issuer }))).toHaveProperty('name')
    await expect(verifier.verify(await a.sign({ iss: 'https://tenant.example' }))).rejects.toEqual(refused('issuer'))
  })

  it.each([
    ['another issuer', { issuer: 'https://evil.example' }],
    ['the issuer with a slash', { issuer: `${ISSUER}/` }],
    ['the issuer in capitals', { issuer: ISSUER.toUpperCase() }],
    ['no issuer', { issuer: undefined }],
    ['a list of issuers', { issuer: [ISSUER] }],
    ['no key set', { jwks_uri: undefined }],
    ['a key set over http', { jwks_uri: 'http://keys.example/jwks' }],
    ['a key set in a file', { jwks_uri: 'file:///etc/keys' }],
    ['a key set as data', { jwks_uri: `data:application/json,${JSON.stringify({ keys: [a.jwk] })}` }],
    ['a key set with credentials', { jwks_uri: 'https://u:p@keys.example/jwks' }],
    ['a relative key set', { jwks_uri: '/jwks' }],
    ['a key set of no text', { jwks_uri: [KEYS] }],
  ])('decisions 3.33: does not believe metadata with %s: readiness is DOWN and tokens are refused', async (_, more) => {
    answers[METADATA] = () => metadata(more)
    const verifier = await open()
    await expect(verifier.verify(await a.sign())).rejects.toEqual(refused('key'))
    expect(verifier.check.check()).toMatchObject({ status: 'DOWN', data: { keys: 0, error: expect.any(String) } })
    expect(urls()).not.toContain(KEYS)
    answers[METADATA] = () => metadata()
    await pass(31_000)
    expect(await verifier.verify(await a.sign())).toHaveProperty('name')
    expect(verifier.check.check()).toMatchObject({ status: 'UP' })
  })

  it.each<[string, () => Response]>([
    ['status 500', () => new Response('', { status: 500 })],
    ['a redirect', () => Response.redirect('https://evil.example')],
    ['garbage', () => new Response('<html>')],
    ['a list', () => Response.json([{ issuer: ISSUER, jwks_uri: KEYS }])],
    ['an answer nested deep', () => new Response('['.repeat(100_000))],
    ['more than 256 KiB', () => metadata({ x: 'x'.repeat(256 * 1024) })],
  ])('is DOWN while the metadata is %s', async (_, answer) => {
    answers[METADATA] = answer
    const verifier = await open()
    await expect(verifier.verify(await a.sign())).rejects.toEqual(refused('key'))
    expect(verifier.check.check()).toMatchObject({ status: 'DOWN' })
  })

  it('keeps the metadata for an hour, while it reads the keys every five minutes and for an unknown kid', async () => {
    const verifier = await open()
    answers[KEYS] = () => Response.json({ keys: [a.jwk, b.jwk] })
    expect(await verifier.verify(await b.sign())).toHaveProperty('name')
    await pass(50 * MINUTE)
    expect(urls().filter((url) => url === METADATA)).toHaveLength(1)
    expect(urls().filter((url) => url === KEYS)).toHaveLength(12)
    await pass(11 * MINUTE)
    expect(urls().filter((url) => url === METADATA)).toHaveLength(2)
  })

  it('decisions 3.33: follows a key set that moves, and takes the old one no longer', async () => {
    const verifier = await open()
    const token = await a.sign({ expiresInSeconds: 86_400 })
    await keep(verifier, token)
    const moved = 'https://new.example/jwks'
    answers = { [METADATA]: () => metadata({ jwks_uri: moved }), [moved]: () => Response.json({ keys: [b.jwk] }) }
    await pass(6 * MINUTE)
    expect(await verifier.verify(await b.sign())).toHaveProperty('name')
    await expect(verifier.verify(token)).rejects.toEqual(refused('key'))
  })

  it('keeps the last keys for an hour when the issuer turns into another one, and no longer', async () => {
    const verifier = await open()
    const token = await a.sign({ expiresInSeconds: 86_400 })
    answers = { [METADATA]: () => metadata({ issuer: 'https://evil.example' }) }
    await pass(50 * MINUTE)
    expect(await verifier.verify(token)).toHaveProperty('name')
    await pass(20 * MINUTE)
    await expect(verifier.verify(token)).rejects.toEqual(refused('key'))
    expect(verifier.check.check()).toMatchObject({ status: 'DOWN' })
  })

  it('of several issuers gives each its own keys', async () => {
    const other = 'https://other.example'
    answers[`${other}/.well-known/openid-configuration`] = () =>
      Response.json({ issuer: other, jwks_uri: 'https://other.example/jwks' })
    answers['https://other.example/jwks'] = () => Response.json({ keys: [b.jwk] })
    using two = await createJwtVerifier({ issuers: [ISSUER, other], discovery: true, fetch: request })
    expect(await two.verify(await a.sign())).toHaveProperty('name')
    expect(await two.verify(await b.sign({ iss: other }))).toHaveProperty('name')
    await expect(two.verify(await b.sign())).rejects.toEqual(refused('key'))
    await expect(two.verify(await a.sign({ iss: other }))).rejects.toEqual(refused('key'))
  })

  it.each(['issuer', 'ftp://id.example', 'https://u:p@id.example', 'https://id.example?x=1', 'https://id.example#x'])(
    'does not start with the issuer %s',
    async (issuer) => {
      const starting = createJwtVerifier({ issuers: [issuer], discovery: true })
      await expect(starting).rejects.toMatchObject({ property: 'mp.jwt.verify.issuer' })
    },
  )
})

it('discovery over a real connection follows no redirect, and waits for no answer', async () => {
  const listener: RequestListener = (req, res) => {
    if (req.url?.startsWith('/moved')) res.writeHead(302, { location: '/good/.well-known/openid-configuration' }).end()
    else res.end('{}')
  }
  const server = await startHttpServer(createServer(listener).listeners('request')[0] as RequestListener)
  await using _ = server
  using verifier = await createJwtVerifier({ issuers: [`${server.url}/moved`], discovery: true })
  const error = () => String(verifier.check.check().data['error'])
  await eventually(() => expect(error()).toContain('redirect'))
  expect(verifier.check.check().status).toBe('DOWN')
})
