import type { Log } from '@taproom/core/lines'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { issuer, renamed, stranger } from '../../tests/keys.ts'
import { keep } from '../../tests/verification.ts'
import type { DevIssuer } from '../testing/dev-issuer.ts'
import { createJwtVerifier, type JwtVerifier } from '../verifier/verifier.ts'

const LOCATION = 'https://keys.example/jwks?secret=1'
const MINUTE = 60_000
const a = renamed(issuer, { kid: 'a' })
const b = renamed(stranger, { kid: 'b' })

interface KeyHost {
  /** How the host answers from now on. */
  answer(respond: () => Response | Promise<Response>): void
  readonly fetch: typeof fetch
  readonly calls: RequestInit[]
}

function keyHost(): KeyHost {
  let respond: () => Response | Promise<Response> = () => Promise.reject(new TypeError('fetch failed'))
  const calls: RequestInit[] = []
  return {
    calls,
    answer: (next) => {
      respond = next
    },
    fetch: (async (_, init = {}) => {
      calls.push(init)
      return respond()
    }) as typeof fetch,
  }
}

const jwks =
  (...issuers: DevIssuer[]) =>
  () =>
    Response.json({ keys: issuers.map(({ jwk }) => jwk) })

describe('remote keys', () => {
  let host: KeyHost
  let verifier: JwtVerifier | undefined
  const lines: string[] = []
  const log: Pick<Log, 'info' | 'warn'> = {
    info: (_, message) => lines.push(message),
    warn: (_, message) => lines.push(message),
  }

  beforeEach(() => {
    host = keyHost()
    lines.length = 0
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  })
  afterEach(() => {
    verifier?.[Symbol.dispose]()
    vi.useRealTimers()
  })

  async function open(options: { algorithm?: 'RS256' | 'ES256' } = {}): Promise<JwtVerifier> {
    const issuers = [a.issuer]
    verifier = await createJwtVerifier({ publicKeyLocation: LOCATION, issuers, fetch: host.fetch, log, ...options })
    await pass(0)
    return verifier
  }

  /** Lets time pass, and whatever is due with it. */
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  const long = { expiresInSeconds: 86_400 }
  const refused = (reason: string) => expect.objectContaining({ code: 'JWT_TOKEN_INVALID', reason })

  it('verify tokens once they are read', async () => {
    host.answer(jwks(a, b))
    const verifier = await open()
    expect(await verifier.verify(await a.sign())).toMatchObject({ name: 'duke@taproom.example' })
    expect(await verifier.verify(await b.sign())).toMatchObject({ name: 'duke@taproom.example' })
    expect(verifier.check.check()).toEqual({ status: 'UP', data: { location: 'https://keys.example/jwks', keys: 2 } })
    expect(host.calls).toHaveLength(1)
  })

  it('may be a PEM as well', async () => {
    host.answer(() => new Response(a.publicKeyPem))
    expect(await (await open()).verify(await a.sign())).toHaveProperty('name')
  })

  it('decisions 1.15: an unreachable host is readiness DOWN and a refusal, and it recovers without a restart', async () => {
    const verifier = await open()
    await expect(verifier.verify(await a.sign())).rejects.toEqual(refused('key'))
    expect(verifier.check.check()).toEqual({
      status: 'DOWN',
      data: { location: 'https://keys.example/jwks', keys: 0, error: 'GET https://keys.example/jwks: fetch failed' },
    })
    host.answer(jwks(a))
    await pass(31_000)
    expect(await verifier.verify(await a.sign())).toHaveProperty('name')
    expect(verifier.check.check()).toMatchObject({ status: 'UP' })
    expect(lines).toEqual(['verification keys not readable', 'verification keys read'])
  })

  it('are asked for with a growing back-off while the host is down', async () => {
    await open()
    expect(host.calls).toHaveLength(1)
    await pass(10_000)
    expect(host.calls.length).toBeGreaterThanOrEqual(4)
    expect(host.calls.length).toBeLessThanOrEqual(6)
    const before = host.calls.length
    await pass(10 * MINUTE)
    expect(host.calls.length - before).toBeLessThanOrEqual(21)
  })

  it('decisions 3.2: are read again every 5 minutes, and a withdrawn key verifies nothing after that, remembered tokens included', async () => {
    host.answer(jwks(a))
    const verifier = await open()
    const token = await a.sign(long)
    await keep(verifier, token)
    host.answer(jwks(b))
    await pass(4 * MINUTE)
    expect(await verifier.verify(token)).toHaveProperty('name')
    await pass(MINUTE)
    await expect(verifier.verify(token)).rejects.toEqual(refused('key'))
    expect(await verifier.verify(await b.sign())).toHaveProperty('name')
  })

  it('that stay keep their remembered tokens', async () => {
    host.answer(jwks(a))
    const verifier = await open()
    const token = await a.sign(long)
    const kept = await keep(verifier, token)
    host.answer(jwks(b, a))
    await pass(5 * MINUTE)
    expect(await verifier.verify(token)).toBe(kept)
  })

  it.each([
    ['max-age=60', 60],
    ['public, Max-Age="120", must-revalidate', 120],
    ['max-age=0', 30],
    ['max-age=1', 30],
    ['max-age=999999', 3600],
    ['s-maxage=60', 300],
    ['no-cache', 300],
  ])('decisions 3.2: with Cache-Control: %s are read again after %i s', async (header, seconds) => {
    host.answer(() => Response.json({ keys: [a.jwk] }, { headers: { 'cache-control': header } }))
    await open()
    await pass(seconds * 1000 - 100)
    expect(host.calls).toHaveLength(1)
    await pass(200)
    expect(host.calls).toHaveLength(2)
  })

  it('decisions 3.2: an unknown kid makes them be read again, at most every 30 s', async () => {
    host.answer(jwks(a))
    const verifier = await open()
    host.answer(jwks(a, b))
    expect(await verifier.verify(await b.sign())).toHaveProperty('name')
    expect(host.calls).toHaveLength(2)
    for (let i = 0; i < 5; i += 1) {
      await expect(verifier.verify(await a.sign({}, { kid: `c${i}` }))).rejects.toEqual(refused('key'))
    }
    expect(host.calls).toHaveLength(2)
    await pass(30_000)
    await expect(verifier.verify(await a.sign({}, { kid: 'd' }))).rejects.toEqual(refused('key'))
    expect(host.calls).toHaveLength(3)
  })

  it('are read once for many tokens with an unknown kid', async () => {
    host.answer(jwks(a))
    const verifier = await open()
    host.answer(jwks(a, b))
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, i) => b.sign({ user: `u${i}` })))
    expect(await Promise.all(tokens.map((token) => verifier.verify(token)))).toHaveLength(20)
    expect(host.calls).toHaveLength(2)
  })

  it('are waited for by a token that arrives while they are read, which does not count as looking again', async () => {
    const answered = Promise.withResolvers<Response>()
    host.answer(() => answered.promise)
    const verifier = await open()
    const verified = verifier.verify(await a.sign())
    answered.resolve(jwks(a)())
    expect(await verified).toHaveProperty('name')
    host.answer(jwks(a, b))
    expect(await verifier.verify(await b.sign())).toHaveProperty('name')
    expect(host.calls).toHaveLength(2)
  })

  it('are read once more for tokens that arrived while they were read, when that began before their key was published', async () => {
    host.answer(jwks(a))
    const verifier = await open()
    const answered = Promise.withResolvers<Response>()
    host.answer(() => answered.promise)
    await pass(5 * MINUTE)
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, i) => b.sign({ user: `u${i}` })))
    const verified = Promise.all(tokens.map((token) => verifier.verify(token)))
    host.answer(jwks(a, b))
    answered.resolve(jwks(a)())
    expect(await verified).toHaveLength(20)
    expect(host.calls).toHaveLength(3)
  })

  it.each<[string, () => Response]>([
    ['status 500', () => new Response('', { status: 500 })],
    ['status 204', () => new Response(null, { status: 204 })],
    ['garbage', () => new Response('<html>')],
    ['a private key', () => new Response('{"kty":"oct","k":"AA"}')],
    ['more than 256 KiB', () => new Response('x'.repeat(256 * 1024 + 1))],
  ])('stay in force for an hour while the host answers %s, then none are', async (_, bad) => {
    host.answer(jwks(a))
    const verifier = await open()
    const token = await a.sign(long)
    await verifier.verify(token)
    host.answer(bad)
    await pass(50 * MINUTE)
    expect(await verifier.verify(token)).toHaveProperty('name')
    expect(verifier.check.check()).toMatchObject({ status: 'UP', data: { error: expect.any(String) } })
    await pass(16 * MINUTE)
    await expect(verifier.verify(token)).rejects.toEqual(refused('key'))
    expect(verifier.check.check()).toMatchObject({ status: 'DOWN' })
  })

  it('are none at all once the host publishes an empty set', async () => {
    host.answer(jwks(a))
    const verifier = await open()
    const token = await a.sign(long)
    await verifier.verify(token)
    host.answer(jwks())
    await pass(5 * MINUTE)
    await expect(verifier.verify(token)).rejects.toEqual(refused('key'))
    expect(verifier.check.check()).toMatchObject({ status: 'DOWN', data: { keys: 0 } })
  })

  it('are not waited for longer than 5 s, and redirects are not followed', async () => {
    host.answer(() => new Promise(() => {}))
    await open()
    const [init] = host.calls
    expect(init?.redirect).toBe('error')
    expect(init?.signal).toBeInstanceOf(AbortSignal)
  })

  it('are not asked for any more after disposal', async () => {
    host.answer(jwks(a))
    const verifier = await open()
    verifier[Symbol.dispose]()
    await pass(60 * MINUTE)
    expect(host.calls).toHaveLength(1)
  })
})
