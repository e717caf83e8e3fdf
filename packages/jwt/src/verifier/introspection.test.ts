import { eventually, startHttpServer } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import {
  type Endpoint,
  endpoint,
  facts,
  issuer,
  now,
  outcome,
  URL,
  verifier,
} from '../../tests/introspection-endpoint.ts'
import type { IntrospectionOptions } from './ask-introspection.ts'

describe('decisions 3.36: introspection of opaque tokens', () => {
  it('asks as RFC 7662 has it, with the client by basic authentication', async () => {
    const at = endpoint()
    const one = await at.open()
    expect(await one.verify('an-opaque.token')).toMatchObject({ name: 'duke', claims: { active: true, groups: [] } })
    const [{ url, init }] = at.calls as [Endpoint['calls'][0]]
    expect(url).toBe(URL)
    expect(init).toMatchObject({ method: 'POST', redirect: 'error', signal: expect.any(AbortSignal) })
    expect(String(init.body)).toBe('token=an-opaque.token&token_type_hint=access_token')
    const basic = Buffer.from('beer%3Aapp:s+e%2Bc%25ret').toString('base64')
    expect(init.headers).toMatchObject({ authorization: `Basic ${basic}`, accept: 'application/json' })
  })

  it('does not ask about JWTs, good or bad, nor about what no bearer token is', async () => {
    const at = endpoint()
    const one = await at.open()
    expect(await outcome(one, await issuer.sign())).toBe('accepted')
    for (const token of ['a.b.c', `${await issuer.sign()}x`, 'a.b.c.d.e', 'ä', 'a b', '', 'x'.repeat(16 * 1024 + 1)])
      expect(await outcome(one, token)).toMatch(/malformed|signature/)
    expect(at.calls).toHaveLength(0)
  })

  it.each<[string, object, string]>([
    ['another issuer', { iss: 'https://other.example' }, 'issuer'],
    ['no issuer', { iss: undefined }, 'issuer'],
    ['an end that has passed', { exp: now - 1 }, 'expired'],
    ['no end', { exp: undefined }, 'claim'],
    ['an end of text', { exp: `${now + 60}` }, 'claim'],
    ['no beginning', { iat: undefined }, 'claim'],
    ['a later beginning', { nbf: now + 60 }, 'not_yet_valid'],
    ['another audience', { aud: 'others' }, 'audience'],
    ['no name', { sub: undefined }, 'principal'],
  ])('decisions 3.36: holds an answer with %s to the rules for a JWT', async (_, more, reason) => {
    const at = endpoint()
    at.answer = () => Response.json(facts({ aud: 'beers', ...more }))
    expect(await outcome(await at.open({}, { audiences: ['beers'] }), 'opaque')).toBe(reason)
  })

  it.each([
    [{ upn: 'u', username: 'n', client_id: 'c' }, 'duke'],
    [{ sub: undefined, username: 'n', client_id: 'c' }, 'n'],
    [{ sub: undefined, client_id: 'c' }, 'c'],
  ])('names the caller by %j', async (more, name) => {
    const at = endpoint()
    at.answer = () => Response.json(facts({ ...more, upn: undefined }))
    expect(await (await at.open()).verify('opaque')).toMatchObject({ name })
  })

  it.each<[string, () => Response | Promise<Response>]>([
    ['status 500', () => new Response('', { status: 500 })],
    ['status 401', () => new Response('', { status: 401 })],
    ['status 204', () => new Response(null, { status: 204 })],
    ['a redirect', () => Response.redirect('https://evil.example')],
    ['no connection', () => Promise.reject(new TypeError('fetch failed'))],
    ['garbage', () => new Response('<html>active</html>')],
    ['a list', () => Response.json([facts()])],
    ['active as a text', () => Response.json(facts({ active: 'true' }))],
    ['active as a number', () => Response.json(facts({ active: 1 }))],
    ['no active', () => Response.json(facts({ active: undefined }))],
    ['active twice', () => new Response(JSON.stringify(facts()).replace('{', '{"active":false,'))],
    ['an answer nested deep', () => new Response(`${'{"a":'.repeat(50_000)}`)],
    ['more than 64 KiB', () => Response.json(facts({ x: 'x'.repeat(64 * 1024) }))],
    ['no answer', () => new Promise<Response>(() => {})],
  ])('decisions 3.36: with %s there is no answer, and nothing is remembered', async (_, answer) => {
    const at = endpoint()
    at.answer = answer
    // A fetch that is told to stop does so.
    const inner = at.answer
    at.answer = (body) =>
      Promise.race([
        inner(body),
        new Promise<Response>((_resolve, reject) => {
          const signal = at.calls.at(-1)?.init.signal
          signal?.addEventListener('abort', () => reject(signal.reason))
        }),
      ])
    const lines: unknown[] = []
    const log = { info: () => {}, warn: (fields: object, message: string) => lines.push([fields, message]) }
    const one = await at.open({ timeoutMs: 50 }, { log })
    for (let time = 0; time < 2; time += 1) expect(await outcome(one, 'opaque-token')).toBe('JWT_CHECK_FAILED')
    expect(at.calls).toHaveLength(2)
    expect(one.outcomes()).toMatchObject({ accepted: 0, unavailable: 2 })
    expect(lines).toEqual([[expect.anything(), 'token introspection gives no answer']])
    const said = JSON.stringify(lines, (_key, value) => (value instanceof Error ? String(value) : value))
    expect(said).not.toMatch(/opaque-token|ecret|x=1/)
    at.answer = () => Response.json(facts())
    expect(await outcome(one, 'opaque-token')).toBe('accepted')
  })
})

describe('decisions 3.36: answers about tokens', () => {
  it('are remembered for 10 s, active or not, and never beyond exp', async () => {
    let time = Date.now()
    const at = endpoint()
    const one = await at.open({}, { clock: () => time })
    await one.verify('a')
    time += 9_999
    await one.verify('a')
    expect(at.calls).toHaveLength(1)
    time += 1
    at.answer = () => Response.json({ active: false })
    expect(await outcome(one, 'a')).toBe('inactive')
    expect(await outcome(one, 'a')).toBe('inactive')
    expect(at.calls).toHaveLength(2)
    const exp = Math.floor(time / 1000) + 3
    at.answer = () => Response.json(facts({ exp }))
    expect(await outcome(one, 'b')).toBe('accepted')
    time += 3000
    expect(await outcome(one, 'b')).toBe('expired')
    expect(at.calls).toHaveLength(4)
  })

  it('are not remembered at all with 0 s', async () => {
    const at = endpoint()
    const one = await at.open({ cacheSeconds: 0 })
    for (let time = 0; time < 3; time += 1) await one.verify('a')
    expect(at.calls).toHaveLength(3)
  })

  it('are remembered for a bounded number of tokens, and invented ones do not drive out good ones', async () => {
    const at = endpoint()
    at.answer = (body) => Response.json(body.get('token')?.startsWith('good') ? facts() : { active: false })
    const one = await at.open({}, { cacheSize: 3 })
    for (const token of ['good1', 'good2', 'good3']) await one.verify(token)
    for (let n = 0; n < 20; n += 1) await outcome(one, `bad${n}`)
    expect(at.calls).toHaveLength(23)
    for (const token of ['good1', 'good2', 'good3']) await one.verify(token)
    expect(at.calls).toHaveLength(23)
    await outcome(one, 'bad0')
    expect(at.calls).toHaveLength(24)
  })

  it('are asked for once by many who want the same, and by no more than 200 at a time', async () => {
    const at = endpoint()
    let release: () => void = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    at.answer = async () => {
      await gate
      return Response.json(facts())
    }
    const one = await at.open({ timeoutMs: 600_000 })
    const same = Array.from({ length: 50 }, () => outcome(one, 'same'))
    const others = Array.from({ length: 202 }, (_, n) => outcome(one, `t${n}`))
    await eventually(() => expect(one.outcomes().unavailable).toBe(3))
    release()
    expect(new Set(await Promise.all(same))).toEqual(new Set(['accepted']))
    expect((await Promise.all(others)).filter((said) => said === 'accepted')).toHaveLength(199)
    expect(at.calls).toHaveLength(200)
  })
})

describe('introspection of all tokens', () => {
  it('asks about a JWT after it is verified, also when that is remembered', async () => {
    const at = endpoint()
    const one = await at.open({ tokens: 'all', cacheSeconds: 0 })
    const token = await issuer.sign()
    for (let time = 0; time < 3; time += 1) expect(await outcome(one, token)).toBe('accepted')
    expect(await outcome(one, await issuer.sign({ expiresInSeconds: -5 }))).toBe('expired')
    expect(at.calls).toHaveLength(3)
    at.answer = () => Response.json({ active: false })
    expect(await outcome(one, token)).toBe('inactive')
    at.answer = () => new Response('', { status: 503 })
    expect(await outcome(one, token)).toBe('JWT_CHECK_FAILED')
    expect(one.outcomes()).toMatchObject({ accepted: 3, inactive: 1, unavailable: 1, expired: 1 })
  })

  it('does not let an active answer save a JWT that is not good', async () => {
    const one = await endpoint().open({ tokens: 'all' })
    expect(await outcome(one, `${(await issuer.sign()).slice(0, -8)}AAAAAAAA`)).toBe('signature')
  })

  it('is asked before isRevoked, which may refuse an opaque token too', async () => {
    const one = await endpoint().open({}, { isRevoked: ({ sub }) => sub === 'duke' })
    expect(await outcome(one, 'opaque')).toBe('revoked')
  })
})

it('decisions 3.36: a real endpoint that redirects gets the token once, and nobody else does', async () => {
  const asked: (string | undefined)[] = []
  await using server = await startHttpServer((req, res) => {
    asked.push(req.url)
    res.writeHead(307, { location: '/elsewhere' }).end()
  })
  const introspection = { url: `${server.url}/introspect`, clientId: 'c', clientSecret: 's' }
  using one = await verifier({ introspection })
  expect(await outcome(one, 'opaque')).toBe('JWT_CHECK_FAILED')
  expect(asked).toEqual(['/introspect'])
})

it.each<[Partial<IntrospectionOptions>, string]>([
  [{ url: 'ftp://id.example' }, 'introspection.url'],
  [{ url: 'introspect' }, 'introspection.url'],
  [{ url: 'https://u:p@id.example' }, 'introspection.url'],
  [{ clientId: '' }, 'introspection.clientId'],
  [{ clientSecret: '' }, 'introspection.clientId'],
  [{ tokens: 'some' as 'all' }, 'introspection.tokens'],
  [{ timeoutMs: 0 }, 'introspection.timeoutMs'],
  [{ cacheSeconds: -1 }, 'introspection.cacheSeconds'],
])('introspection does not start with %j', async (options, property) => {
  await expect(endpoint().open(options)).rejects.toMatchObject({ property })
})
