import { eventually } from '@taproom/testkit'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createHttpApp, HttpProblem, type ListenOptions, reportRefusals, trustedProxies } from '../src/index.ts'
import { answerOf, open, raw, request, start } from './raw-client.ts'

const PROXIES = trustedProxies(['127.0.0.1'])
const FORWARDED = 'X-Forwarded-For: 192.0.2.1\r\nConnection: close\r\n'

/** An app with a log; `linesOf(kind, count)` waits for so many lines of that log. */
async function startLogged(options: Partial<ListenOptions>) {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const report = reportRefusals(log, PROXIES)
  const app = createHttpApp({
    log,
    routes: [
      (req, res, next) => {
        if (req.path === '/reported') {
          report(req, { status: 401, reason: 'expired', claimed: { jti: 'j-1' } })
          return res.status(401).end()
        }
        if (req.path === '/hang') return undefined
        if (req.path === '/forbidden') throw new HttpProblem(403, { detail: 'not you' })
        if (req.path === '/mistake') throw new HttpProblem(400)
        if (req.path === '/') return res.end('served')
        return next()
      },
    ],
  })
  const server = await start(app, { trustedProxies: PROXIES, ...options })
  const ask = (path: string, more = FORWARDED) => raw(server.port, request(path, more))
  const of = (kind: string) => lines.filter(({ log: name }) => name === kind)
  const linesOf = (kind: string, count: number) =>
    eventually(() => {
      expect(of(kind)).toHaveLength(count)
      return of(kind)
    })
  return { server, ask, linesOf, of, lines }
}

describe('decisions 3.42: the access log', () => {
  it('has one line for each request: client, method, path without query, status, bytes, duration, trace', async () => {
    const { ask, linesOf } = await startLogged({ accessLog: true })
    const trace = '0af7651916cd43dd8448eb211c80319c'
    const answer = await ask('/?token=secret', `traceparent: 00-${trace}-b7ad6b7169203331-01\r\n${FORWARDED}`)
    const [line] = await linesOf('access', 1)
    expect(line).toMatchObject({ client: '192.0.2.1', method: 'GET', path: '/', status: 200, trace_id: trace })
    expect(line).toMatchObject({ bytes: answer.length, durationMs: expect.any(Number), msg: 'request ended' })
    expect(JSON.stringify(line)).not.toContain('secret')
  })

  it('counts the bytes of each answer of a connection by itself', async () => {
    const { server, linesOf } = await startLogged({ accessLog: true })
    const client = open(server.port)
    client.write(request('/') + request('/none') + request('/', 'Connection: close\r\n'))
    const { answer } = await answerOf(client)
    const bytes = (await linesOf('access', 3)).map((line) => Number(line['bytes']))
    expect(bytes.reduce((sum, count) => sum + count)).toBe(answer.length)
  })

  it('has refused requests and those whose client has left, and a long path cut', async () => {
    const { server, ask, linesOf } = await startLogged({ accessLog: true })
    await raw(server.port, 'GET / HTTP/1.1\r\n\r\n')
    expect((await linesOf('access', 1))[0]).toMatchObject({ status: 400, client: '127.0.0.1' })
    const client = open(server.port)
    client.write(request('/hang'))
    client.end()
    setImmediate(() => client.destroy())
    expect((await linesOf('access', 2))[1]).toMatchObject({ status: 499, path: '/hang' })
    await ask(`/${'x'.repeat(1000)}`)
    expect((await linesOf('access', 3))[2]?.['path']).toBe(`/${'x'.repeat(299)}… (701 more characters)`)
  })

  it.each([
    ['http://h.example/none?token=secret', '/none'],
    ['http://user:secret@h.example/none', '/none'],
    ['/none#token=secret', '/none'],
    ['http://user:secret@h.example?token=secret', ''],
  ])('has of %s no more than the path, nor has any other line', async (target, path) => {
    const { ask, linesOf, lines } = await startLogged({ accessLog: true, securityLog: true })
    await ask(target)
    expect((await linesOf('access', 1))[0]).toMatchObject({ path })
    expect(JSON.stringify(lines)).not.toContain('secret')
  })

  it('is off unless asked for', async () => {
    const { ask, of } = await startLogged({})
    await ask('/')
    await ask('/forbidden')
    expect([...of('access'), ...of('security')]).toEqual([])
  })
})

describe('decisions 3.42: the security log', () => {
  it.each([
    ['of the app', '/forbidden', { status: 403, path: '/forbidden', reason: 'Forbidden' }],
    ['that the app tells more of', '/reported', { status: 401, path: '/reported', reason: 'expired', jti: 'j-1' }],
  ])('has one line for a refusal %s', async (_, path, fields) => {
    const { ask, linesOf } = await startLogged({ securityLog: true, accessLog: true })
    await ask(`${path}?token=secret`, `Authorization: Bearer secret\r\n${FORWARDED}`)
    await linesOf('access', 1)
    const [line] = await linesOf('security', 1)
    expect(line).toMatchObject({ client: '192.0.2.1', method: 'GET', msg: 'request refused', ...fields })
    expect(JSON.stringify(line)).not.toContain('secret')
  })

  it('has one for what the listener refuses, with its reason', async () => {
    const { server, linesOf } = await startLogged({ securityLog: true })
    await raw(server.port, 'NONSENSE\r\n\r\n')
    await raw(server.port, `GET /a?b HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`)
    await raw(server.port, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`)
    expect(await linesOf('security', 3)).toMatchObject([
      { client: '127.0.0.1', status: 400, reason: 'the request is not valid HTTP' },
      { client: '127.0.0.1', status: 400, path: '/a', reason: 'the request has more than one Host header' },
      { client: '127.0.0.1', status: 431 },
    ])
  })

  it('has one for a request beyond the rate, and none for answers that are about what was asked', async () => {
    const { ask, linesOf } = await startLogged({
      ...{ securityLog: true, accessLog: true },
      rateLimit: { perSecond: 0.001, burst: 3 },
    })
    for (const path of ['/', '/mistake', '/none', '/']) await ask(path)
    await linesOf('access', 4)
    expect(await linesOf('security', 1)).toMatchObject([{ status: 429, path: '/', client: '192.0.2.1' }])
  })
})
