import { once } from 'node:events'
import { request } from 'node:http'
import express from 'express'
import { describe, expect, it } from 'vitest'
import { authenticate, callerOf, JwtConfigError } from '../src/index.ts'
import { serving, welcome } from './serve.ts'
import { createVerification } from './verification.ts'

const { issuer, verifier } = await createVerification()
const listen = serving()

/** Unlike fetch, sends a path as it is. */
async function status(url: string, path: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  const { hostname, port } = new URL(url)
  const req = request({ hostname, port, path, headers, agent: false }).end()
  const [res] = await once(req, 'response')
  res.resume()
  return res.statusCode
}

describe('decisions 3.38: an app that denies by default', async () => {
  const guard = authenticate(await verifier(), { publicPaths: ['/health', '/assets/*'] })
  const url = await listen(welcome(guard))

  it('lets nobody pass but on the paths that are named', async () => {
    for (const path of ['/health', '/health?x=1', '/assets/a.css', '/assets/b/c', '/assets/'])
      expect(await status(url, path)).toBe(200)
    for (const path of ['/', '/beers', '/healthy', '/assets', '/assetsx', '/x/health', '/x/assets/a', '/?/health'])
      expect(await status(url, path)).toBe(401)
  })

  it.each([
    '/assets/../beers',
    '/assets/./a',
    '/assets/..',
    '/assets/%2e%2e/beers',
    '/assets/%2E./beers',
    '/assets/..%2fbeers',
    '/assets/%2fbeers',
    '/assets//beers',
    '//assets/a',
    '/assets/..;/beers',
    '/assets/..\\beers',
    '/assets/a;x=/../beers',
    '/health/',
    '/health/beers',
    '/HEALTH',
    '/Assets/a',
    '/%68ealth',
    '/health%00',
    '/health;x',
    '/beers#/../health',
    '/beers?/../assets/a',
    'http://evil.example/beers',
  ])('decisions 3.38: is not led astray by %s', async (path) => {
    expect(await status(url, path)).toBe(401)
  })

  it('checks a token on a public path too, and tells whose it is', async () => {
    const Authorization = `Bearer ${await issuer.sign()}`
    expect(await status(url, '/health', { Authorization })).toBe(200)
    expect(await status(url, '/health', { Authorization: 'Bearer x' })).toBe(401)
    expect(await status(url, '/beers', { Authorization })).toBe(200)
    const app = express().use(guard, (req, res) => void res.send(callerOf(req)?.name ?? 'nobody'))
    const told = await listen(app)
    expect(await (await fetch(`${told}/health`)).text()).toBe('nobody')
    expect(await (await fetch(`${told}/health`, { headers: { Authorization } })).text()).toBe('duke@taproom.example')
  })

  it('goes by the whole path, also where it is mounted, and by what is routed after a rewrite', async () => {
    const mounted = await listen(express().use('/api', guard, (_, res) => void res.send('welcome')))
    expect(await status(mounted, '/api/health')).toBe(401)
    const whole = authenticate(await verifier(), { publicPaths: ['/api/health'] })
    const named = await listen(express().use('/api', whole, (_, res) => void res.send('welcome')))
    expect(await status(named, '/api/health')).toBe(200)
    expect(await status(named, '/api/beers')).toBe(401)
    const rewriting = express().use((req, _res, next) => {
      req.url = '/beers'
      next()
    })
    expect(await status(await listen(rewriting.use(welcome(guard))), '/health')).toBe(401)
  })

  it.each(['health', '', '*', '/a*', '/*/a', '/a/*/b', '/a%2fb', '/a/../b', '/a?b', '/a#b', '//a', '/a;b'])(
    'does not start with the public path %j',
    async (path) => {
      const one = await verifier()
      expect(() => authenticate(one, { publicPaths: [path] })).toThrow(JwtConfigError)
    },
  )

  it('is open to all with /*, if somebody says so', async () => {
    const open = await listen(welcome(authenticate(await verifier(), { publicPaths: ['/*'] })))
    expect(await status(open, '/beers')).toBe(200)
  })
})
