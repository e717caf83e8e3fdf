import type { OutgoingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { startHttpServer } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { consoleFor } from '../src/console/chosen-console.ts'
import { call, startGateway } from './fixtures/gateway.ts'

describe('the page at /', () => {
  const home = () => ({
    title: 'A <b>system',
    url: 'http://localhost:8080',
    links: { '/movie': 'films', '/movie?year=1980': 'those of <b>1980' },
    resourceApi: 'http://127.0.0.1:8001',
    tryLines: ["curl 'http://localhost:8080/movie?year=1980'", 'echo "<b>&amp;"'],
  })
  const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

  it('is HTML for a browser: what is here, and what to try, without anything from outside', async () => {
    await using system = await startGateway((_, res) => res.end(), { home })
    const response = await call(`${system.url}/`, { headers: html })
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=UTF-8',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      vary: 'Accept',
    })
    const page = await text(response)
    const links = Array.from(page.matchAll(/ href="([^"]*)"/g), ([, href]) => href)
    expect(links).toEqual(['data:,', ...paths, 'http://127.0.0.1:8001'])
    expect(page).toContain('<h1>A &lt;b>system</h1>')
    expect(page).toContain('<dd>those of &lt;b>1980</dd>')
    expect(page).toContain('<code>kubectl -s http://127.0.0.1:8001 get brokers,triggers,ksvc</code>')
    expect(page).toContain('<pre>echo &quot;&lt;b>&amp;amp;&quot;</pre>')
    expect(page).not.toMatch(/\bsrc=|@import|url\(|<script/)
  })

  it.each([{ accept: '*/*' }, {}])('is text for everyone else, such as curl: %j', async (headers) => {
    await using system = await startGateway((_, res) => res.end(), { home })
    const response = await call(`${system.url}/`, { headers })
    expect(response.headers['content-type']).toBe('text/plain; charset=UTF-8')
    const page = await text(response)
    for (const path of paths)
      expect(page).toMatch(new RegExp(`^  http://localhost:8080${path.replace('?', '.')}  `, 'm'))
    expect(page).toMatch(
      /^ {2}http:\/\/127\.0\.0\.1:8001 .*: kubectl -s http:\/\/127\.0\.0\.1:8001 get brokers,triggers,ksvc$/m,
    )
    expect(page).toContain(`\n  ${home().tryLines.join('\n  ')}\n`)
  })

  it('decisions 3.114: leads browsers of this machine to the console while it is there, and nobody else', async () => {
    let isThere = true
    const console = { port: 4999, session: 'a-secret' }
    const leadsTo = async (host: string | undefined) => (isThere ? consoleFor(host, console) : undefined)
    await using system = await startGateway((_, res) => res.end(), { home, leadsTo })
    const ask = (headers: OutgoingHttpHeaders) => call(`${system.url}/`, { headers })
    for (const host of ['localhost:8080', '127.0.0.1', 'LOCALHOST']) {
      const { statusCode, headers } = await ask({ ...html, host })
      const [name = ''] = host.toLowerCase().split(':')
      expect([statusCode, headers.location]).toEqual([302, `http://${name}:4999/`])
      expect(headers).toMatchObject({ 'cache-control': 'no-store', vary: 'Accept' })
    }
    // Its port is open on this machine alone.
    expect((await ask({ ...html, host: 'example.org' })).statusCode).toBe(200)
    expect((await ask({ accept: '*/*', host: 'localhost' })).statusCode).toBe(200)
    isThere = false
    expect((await ask({ ...html, host: 'localhost' })).statusCode).toBe(200)
  })

  it('has no body for HEAD and takes no other method', async () => {
    await using system = await startGateway((_, res) => res.end(), { home })
    const head = await call(`${system.url}/`, { method: 'HEAD', headers: html })
    expect([head.statusCode, await text(head)]).toEqual([200, ''])
    expect((await call(`${system.url}/`, { method: 'POST' })).headers['allow']).toBe('GET, HEAD')
  })

  it('is a problem in production mode', async () => {
    await using system = await startGateway((_, res) => res.end(), { hasPages: false })
    const response = await call(`${system.url}/`, { headers: html })
    expect(response.statusCode).toBe(404)
    expect(response.headers['content-type']).toBe('application/problem+json')
  })
})

const paths = ['/q/health-ui/', '/q/openapi', '/movie', '/movie?year=1980']

describe('the health page of the gateway', () => {
  const reports = { live: { status: 'UP', checks: [] } }

  it('is its own, whatever runs behind it, and found without its slash', async () => {
    await using system = await startGateway((_, res) => res.end(), { portOf: () => undefined })
    const response = await call(`${system.url}/q/health-ui/`)
    expect(response.headers['content-type']).toBe('text/html; charset=UTF-8')
    expect(await text(response)).toContain('<title>Health</title>')
    const slashless = await call(`${system.url}/q/health-ui`)
    expect([slashless.statusCode, slashless.headers.location]).toEqual([308, '/q/health-ui/'])
  })

  it('is told of every service by name, also of those that do not answer as they ought to', async () => {
    await using fine = await startHttpServer((_, res) => res.end(JSON.stringify({ services: [{ reports }] })))
    await using odd = await startHttpServer((_, res) => res.end('{"status":"UP"}'))
    const ports: Record<string, number> = { fine: fine.port, odd: odd.port }
    await using system = await startGateway((_, res) => res.end(), {
      services: ['fine', 'odd', 'stopped'],
      portOf: (name) => ports[name],
    })
    const response = await call(`${system.url}/q/health-ui/report`)
    expect(response.statusCode).toBe(200)
    expect(JSON.parse(await text(response))).toEqual({
      services: [
        { name: 'fine', reports },
        { name: 'odd', error: 'it has no page' },
        { name: 'stopped', error: 'not running' },
      ],
    })
    expect(fine.requests.map(({ url }) => url)).toEqual(['/q/health-ui/report'])
  })

  it('links to the console where the home page leads there', async () => {
    await using system = await startGateway((_, res) => res.end(), {
      services: [],
      leadsTo: async (host) => (host === 'localhost' ? 'http://localhost:1234/' : undefined),
    })
    const reportFor = async (host: string) =>
      JSON.parse(await text(await call(`${system.url}/q/health-ui/report`, { headers: { host } })))
    expect(await reportFor('localhost')).toEqual({ services: [], console: 'http://localhost:1234/' })
    expect(await reportFor('127.0.0.1')).toEqual({ services: [] })
  })

  it('decisions 1.37: is not there in production mode, nor is what it is told', async () => {
    await using system = await startGateway((_, res) => res.end(), { hasPages: false })
    for (const path of ['/q/health-ui/', '/q/health-ui', '/q/health-ui/report']) {
      expect((await call(system.url + path)).statusCode).toBe(404)
    }
  })
})
