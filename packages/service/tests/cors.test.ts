import { describe, expect, it } from 'vitest'
import { ConfigError, kernelConfig, parseEnv } from '../src/index.ts'
import { start } from './raw-client.ts'

const SHOP = 'https://shop.example'

function corsOf(env: Record<string, string>) {
  return parseEnv(
    Object.fromEntries(Object.entries(env).map(([name, value]) => [`HTTP_CORS_${name}`, value])),
    kernelConfig,
  ).http.cors
}

async function ask(env: Record<string, string>, { method = 'GET', ...headers }: Record<string, string>) {
  let seen = 0
  const server = await start(
    (_req, res) => {
      seen += 1
      res.appendHeader('Vary', 'Accept').writeHead(401).end()
    },
    { cors: corsOf(env) },
  )
  const answer = await fetch(server.url, { method, headers })
  const of = (name: string) => answer.headers.get(`access-control-${name}`)
  return { status: answer.status, of, vary: answer.headers.get('vary'), seen }
}

const preflight = (origin: string, more: Record<string, string> = {}) => ({
  method: 'OPTIONS',
  Origin: origin,
  'Access-Control-Request-Method': 'PUT',
  ...more,
})

describe('decisions 3.43: CORS', () => {
  it('is off by default: no headers, and OPTIONS is the app’s', async () => {
    const { status, of, vary, seen } = await ask({}, preflight(SHOP))
    expect([status, of('allow-origin'), vary, seen]).toEqual([401, null, 'Accept', 1])
  })

  it('answers a preflight of an allowed origin before the app sees it', async () => {
    const env = {
      ORIGINS: `https://other.example, ${SHOP}`,
      METHODS: 'GET, PUT',
      HEADERS: 'X-A',
      ACCESS_CONTROL_MAX_AGE: '24H',
    }
    const { status, of, vary, seen } = await ask(env, preflight(SHOP, { 'Access-Control-Request-Headers': 'x-b' }))
    expect([status, seen]).toEqual([204, 0])
    expect([of('allow-origin'), of('allow-methods'), of('allow-headers')]).toEqual([SHOP, 'GET, PUT', 'X-A'])
    expect([of('max-age'), of('allow-credentials'), of('expose-headers')]).toEqual(['86400', null, null])
    expect(vary).toBe('Origin, Access-Control-Request-Method, Access-Control-Request-Headers')
  })

  it('allows the method and headers that are asked for when none are named, if they are names', async () => {
    const asked = { 'Access-Control-Request-Headers': 'x-a, x-b' }
    const { of } = await ask({ ORIGINS: SHOP }, preflight(SHOP, asked))
    expect([of('allow-methods'), of('allow-headers'), of('max-age')]).toEqual(['PUT', 'x-a, x-b', null])
    const bad = { 'Access-Control-Request-Headers': 'x-a; <script>', 'Access-Control-Request-Method': 'a b' }
    const refused = await ask({ ORIGINS: SHOP }, preflight(SHOP, bad))
    expect([refused.of('allow-methods'), refused.of('allow-headers')]).toEqual([null, null])
  })

  it.each(['https://evil.example', 'null', 'http://shop.example', `${SHOP}.evil.example`, 'HTTPS://SHOP.EXAMPLE'])(
    'gives %s nothing, and its preflight 403',
    async (origin) => {
      const refused = await ask({ ORIGINS: SHOP }, preflight(origin))
      expect([refused.status, refused.of('allow-origin'), refused.of('allow-methods'), refused.seen]).toEqual([
        403,
        null,
        null,
        0,
      ])
      const plain = await ask({ ORIGINS: SHOP }, { Origin: origin })
      expect([plain.status, plain.of('allow-origin'), plain.vary]).toEqual([401, null, 'Origin, Accept'])
    },
  )

  it('lets an allowed origin read every answer, refusals included', async () => {
    const env = { ORIGINS: SHOP, EXPOSED_HEADERS: 'X-Total', ACCESS_CONTROL_ALLOW_CREDENTIALS: 'true' }
    const { status, of, vary } = await ask(env, { Origin: SHOP })
    expect([status, of('allow-origin'), of('allow-credentials'), of('expose-headers')]).toEqual([
      401,
      SHOP,
      'true',
      'X-Total',
    ])
    expect(vary).toBe('Origin, Accept')
  })

  it.each([{ Origin: SHOP }, {}])(
    'says the same to all with *, as a cache may give the answer to %j to others',
    async (headers) => {
      const { of, vary } = await ask({ ORIGINS: '*', EXPOSED_HEADERS: 'X-Total' }, headers)
      expect([of('allow-origin'), of('expose-headers'), vary]).toEqual(['*', 'X-Total', 'Accept'])
    },
  )

  it('takes * for any method and header, which it does not send as it is: it would not stand for Authorization', async () => {
    const env = { ORIGINS: SHOP, METHODS: '*', HEADERS: '*', ACCESS_CONTROL_ALLOW_CREDENTIALS: 'true' }
    const { of } = await ask(env, preflight(SHOP, { 'Access-Control-Request-Headers': 'authorization' }))
    expect([of('allow-methods'), of('allow-headers')]).toEqual(['PUT', 'authorization'])
  })

  it.each([
    { ORIGINS: 'shop.example' },
    { ORIGINS: `${SHOP}/` },
    { ORIGINS: `${SHOP}:443` },
    { ORIGINS: 'null' },
    { ORIGINS: '*', ACCESS_CONTROL_ALLOW_CREDENTIALS: 'true' },
    { ORIGINS: SHOP, METHODS: 'GET PUT' },
    { ORIGINS: SHOP, HEADERS: 'a:b' },
    { ORIGINS: SHOP, HEADERS: 'a,*' },
    { ORIGINS: SHOP, EXPOSED_HEADERS: '*', ACCESS_CONTROL_ALLOW_CREDENTIALS: 'true' },
    { ORIGINS: SHOP, ACCESS_CONTROL_MAX_AGE: 'soon' },
    { ORIGINS: SHOP, ACCESS_CONTROL_MAX_AGE: '9000H' },
  ])('cannot be %j', (env) => {
    expect(() => corsOf(env)).toThrow(ConfigError)
  })
})
