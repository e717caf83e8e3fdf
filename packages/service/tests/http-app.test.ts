import { methodNotAllowed } from '@taproom/http'
import express from 'express'
import { describe, expect, it } from 'vitest'
import { HttpProblem } from '../src/index.ts'
import { raw } from './raw-client.ts'
import { startApp } from './start-app.ts'

describe('createHttpApp', () => {
  it('decisions 1.74: an unknown path is 404 problem+json', async () => {
    const { url } = await startApp(() => {})
    const response = await fetch(`${url}/nowhere`)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'nothing is found at /nowhere',
    })
  })

  it('decisions 1.74: a wrong method is 405 with Allow', async () => {
    const { url } = await startApp((routes) => {
      routes
        .route('/thing')
        .get((_req, res) => void res.end())
        .all(methodNotAllowed('GET', 'HEAD'))
    })
    const response = await fetch(`${url}/thing`, { method: 'DELETE' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD')
    expect(await response.json()).toMatchObject({ status: 405 })
  })

  it.each(['http://[x/thing', 'http://[', 'https://[::1/thing?a=b'])(
    'answers the target %s, which is no URL, with 400 problem+json',
    async (target) => {
      const { server } = await startApp((routes) => routes.get('/thing', (_req, res) => void res.end()))
      const answer = await raw(server.port, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer).toContain('application/problem+json')
      expect(answer).not.toContain('<html')
    },
  )

  it('lets no cache keep a problem', async () => {
    const { url } = await startApp(() => {})
    expect((await fetch(`${url}/nowhere`)).headers.get('cache-control')).toBe('no-store')
  })

  it('decisions 1.72: an unhandled error is 500 with an id, its message in the log only', async () => {
    const { url, lines } = await startApp((routes) => {
      routes.get('/boom', async () => {
        throw new Error('the secret inside')
      })
    })
    const response = await fetch(`${url}/boom`)
    const body = await response.text()
    expect(response.status).toBe(500)
    expect(body).not.toContain('secret')
    const { id } = JSON.parse(body)
    expect(lines).toMatchObject([{ level: 50, id, err: { message: 'the secret inside' }, msg: 'request failed' }])
  })

  it('tells what somebody foresaw in one line without a stack', async () => {
    const { url, lines } = await startApp((routes) => {
      routes.get('/remote', () => {
        const cause = Object.assign(new Error('the remote is away'), { code: 'ERR_REMOTE' })
        throw new HttpProblem(502, { detail: 'no answer', cause })
      })
    })
    const { id } = (await (await fetch(`${url}/remote`)).json()) as { id: string }
    expect(lines).toMatchObject([{ level: 50, id, status: 502, code: 'ERR_REMOTE', reason: 'the remote is away' }])
    expect(JSON.stringify(lines)).not.toContain('stack')
  })

  it("decisions 1.72: an error with the status 503 is that, with Retry-After and nothing of the library's words", async () => {
    const { url, lines } = await startApp((routes) => {
      routes.get('/full', () => {
        throw Object.assign(new Error('10000 messages wait'), { status: 503, code: 'OUTBOX_FULL' })
      })
    })
    const response = await fetch(`${url}/full`)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    const body = await response.json()
    expect(body).toEqual({ type: 'about:blank', title: 'Service Unavailable', status: 503, id: expect.any(String) })
    expect(lines).toMatchObject([{ level: 50, status: 503, code: 'OUTBOX_FULL', reason: '10000 messages wait' }])
  })

  it('answers a thrown HttpProblem with its headers and members', async () => {
    const { url } = await startApp((routes) => {
      routes.get('/open', () => {
        throw new HttpProblem(503, { detail: 'later', headers: { 'Retry-After': '3' }, members: { circuit: 'open' } })
      })
    })
    const response = await fetch(`${url}/open`)
    expect(response.headers.get('retry-after')).toBe('3')
    expect(await response.json()).toMatchObject({ status: 503, detail: 'later', circuit: 'open' })
  })

  it('echoes no more of a path than anybody reads, in the answer or the log', async () => {
    const { url, lines } = await startApp(() => {})
    const shown = `/${'x'.repeat(299)}… (8701 more characters)`
    const answer = await fetch(`${url}/${'x'.repeat(9000)}`)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await answer.json()).toMatchObject({ detail: `nothing is found at ${shown}` })
    expect(lines).toMatchObject([{ path: shown, detail: `nothing is found at ${shown}` }])
  })

  it('bounds what an error of express echoes, and shows what it hides', async () => {
    const { url } = await startApp((routes) => {
      routes.get('/refused', () => {
        throw Object.assign(new Error(`\u001b[2J\u2028${'x'.repeat(3000)}`), { status: 400 })
      })
    })
    const body = await (await fetch(`${url}/refused`)).text()
    expect(body).not.toMatch(/[\p{Cc}\u2028]/u)
    expect(JSON.parse(body)).toMatchObject({
      detail: expect.stringMatching(/^\\u001b\[2J\\u2028x+… \(1005 more characters\)$/),
    })
  })

  it.each([
    ['a percent sign that begins no escape, in a parameter', 'GET /things/%zz HTTP/1.1', 400],
    ['half a character, in a parameter', 'GET /things/%ff HTTP/1.1', 400],
    ['TRACE', 'TRACE /thing HTTP/1.1', 405],
    ['PROPFIND', 'PROPFIND /thing HTTP/1.1', 405],
    ['PATCH elsewhere', 'PATCH /nowhere HTTP/1.1', 404],
    ['OPTIONS of everything', 'OPTIONS * HTTP/1.1', 404],
    ['a method in small letters', 'get /thing HTTP/1.1', 400],
    ['a method that nobody knows', 'BREW /thing HTTP/1.1', 400],
    [
      'a charset that nobody knows',
      'POST /json HTTP/1.1\r\nContent-Type: application/json; charset=x-none\r\nContent-Length: 2',
      415,
    ],
    [
      'a coding that nobody knows',
      'POST /json HTTP/1.1\r\nContent-Type: application/json\r\nContent-Encoding: x\r\nContent-Length: 2',
      415,
    ],
    [
      'a coding that is none',
      'POST /json HTTP/1.1\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 2',
      400,
    ],
  ])('answers %s with 4xx: %j', async (_case, head, status) => {
    const { server } = await startApp((routes) => {
      routes.get('/things/:name', (_req, res) => void res.end())
      routes
        .route('/thing')
        .get((_req, res) => void res.end())
        .all(methodNotAllowed('GET', 'HEAD'))
      routes.post('/json', express.json(), (_req, res) => void res.end())
    })
    const answer = await raw(
      server.port,
      `${head}\r\nHost: a\r\nConnection: close\r\n\r\n${head.includes('Length') ? '{}' : ''}`,
    )
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ status })
  })

  it('answers HEAD without a body, whatever the problem', async () => {
    const { server } = await startApp((routes) => {
      routes.get('/boom', () => {
        throw new Error('no')
      })
    })
    for (const path of ['/boom', '/nowhere']) {
      const answer = await raw(server.port, `HEAD ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 (500|404) [\s\S]*\r\n\r\n$/)
    }
  })

  it("keeps the status of express's own client errors", async () => {
    const { url } = await startApp((routes) => {
      routes.post('/json', express.json({ limit: 10 }), (req, res) => void res.end(`${req.body}`))
    })
    const post = (body: string, type = 'application/json') =>
      fetch(`${url}/json`, { method: 'POST', body, headers: { 'content-type': type } })
    expect((await post('{')).status).toBe(400)
    expect((await post(`{"a":"${'x'.repeat(20)}"}`)).status).toBe(413)
    expect((await post('{}', 'application/json; charset=latin1')).status).toBe(415)
    expect(await (await post('{}', 'text/plain')).text()).toBe('undefined')
    expect((await fetch(`${url}/%ff`)).status).toBe(404)
  })

  it('breaks the connection when a handler fails after its first byte', async () => {
    const { url } = await startApp((routes) => {
      routes.get('/half', (_req, res) => {
        res.write('[1,')
        throw new Error('no more')
      })
    })
    await expect(fetch(`${url}/half`).then((response) => response.text())).rejects.toThrow()
  })
})
