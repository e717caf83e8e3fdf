import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { eventually, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEcho } from '../src/cluster/echo.ts'
import { emptySystem, release } from '../src/cluster/system.ts'
import { gatewayUrl, inTaproom, kubectl, rolledOut } from '../src/harness/kubectl.ts'

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  /** The client's address. */
  readonly own: string
}

const TIMEOUT_MS = 15_000

let url: URL
let echo: AsyncDisposable

/** Sends this text over a connection of its own, until that is closed, and reads what came back. */
async function exchange(text: string): Promise<Answer> {
  const socket = connect(Number(url.port || 80), url.hostname)
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy())
  socket.write(text)
  let answer = ''
  let own = ''
  socket.once('connect', () => (own = socket.localAddress ?? ''))
  socket.setEncoding('utf8').on('data', (part: string) => (answer += part))
  // A server that has not read all may reset the connection after its answer.
  socket.on('error', () => undefined)
  await new Promise((closed) => socket.once('close', closed))
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const pairs = fields.map((field): [string, string] => {
    const colon = field.indexOf(':')
    return [field.slice(0, colon), field.slice(colon + 1).trim()]
  })
  return { status: Number(line.split(' ')[1]), headers: new Headers(pairs), body: rest.join('\r\n\r\n'), own }
}

/** Asks for a path with these lines of headers. */
async function ask(path: string, lines: readonly string[] = [], host = url.host): Promise<Answer> {
  const head = [`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...lines]
  return exchange(`${head.join('\r\n')}\r\n\r\n`)
}

/** The values of a header that the service behind the Gateway gets. */
async function passedOn(name: string, lines: readonly string[] = []): Promise<readonly string[]> {
  const { body } = await ask('/echo', lines)
  const raw: readonly string[] = JSON.parse(body.slice(body.indexOf('['), body.lastIndexOf(']') + 1))
  return raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name)
}

const isProblem = ({ headers }: Answer) => headers.get('content-type')?.startsWith('application/problem+json')
const isText = ({ headers }: Answer) => headers.get('content-type')?.startsWith('text/plain')

beforeAll(async () => {
  await emptySystem()
  await kubectl(['apply', '-k', 'deploy/kubernetes/overlays/knative'])
  await release('deploy/kubernetes/overlays/development')
  echo = await startEcho()
  url = new URL(await gatewayUrl())
  const answers = async (path: string) => (await ask(path)).status === 200
  for (const path of ['/movie', '/echo', '/q/health'])
    await waitFor(path, () => answers(path), { timeoutMs: 120_000, intervalMs: 500 })
})

afterAll(() => echo?.[Symbol.asyncDispose]())

describe('what the Gateway answers, as the table of cluster.md has it', () => {
  it('/q/openapi: 404', async () => {
    expect(await ask('/q/openapi')).toMatchObject({ status: 404, body: '' })
  })

  it("/q/health: movie-api's checks", async () => {
    const { status, body } = await ask('/q/health')
    expect(status).toBe(200)
    expect(body).toContain('Database connection')
  })

  it.each(['/nothing', '/sinks/x'])('no such path, no such sink: %s is 404, empty', async (path) => {
    expect(await ask(path)).toMatchObject({ status: 404, body: '' })
  })

  it('below a path: 404 of the service, a problem', async () => {
    const answer = await ask('/movie/1')
    expect(answer.status).toBe(404)
    expect(isProblem(answer)).toBe(true)
  })

  it.each(['//movie', '/x/../movie'])('%s is /movie', async (path) => {
    expect(await ask(path)).toMatchObject({ status: 200 })
  })

  it('a path with %2F is redirected to the one with /', async () => {
    const { status, headers } = await ask('/secure%2Fclaim')
    expect(status).toBe(307)
    expect(headers.get('location')).toMatch(/\/secure\/claim$/)
  })

  it('a service is away, none of its pods is there: 503, empty, no Retry-After', async () => {
    await inTaproom('scale', 'deployment/claim-api', '--replicas=0')
    await inTaproom('wait', '--for=delete', 'pod', '--selector=app.kubernetes.io/name=claim-api', '--timeout=120s')
    const asked = async () => {
      const { status, headers, body } = await ask('/secure/claim')
      return { status, body, retryAfter: headers.get('retry-after') }
    }
    await eventually(async () => expect(await asked()).toEqual({ status: 503, body: '', retryAfter: null }), {
      timeoutMs: 60_000,
      intervalMs: 500,
    })
    await inTaproom('scale', 'deployment/claim-api', '--replicas=1')
    await rolledOut('claim-api')
  })

  it('a service breaks off: 503, text, no Retry-After', async () => {
    const answer = await ask('/echo/breaks')
    expect(answer.status).toBe(503)
    expect(isText(answer)).toBe(true)
    expect(answer.headers.has('retry-after')).toBe(false)
  })

  it('no answer for as long as the route says: 504, text', async () => {
    const answer = await ask('/echo/waits')
    expect(answer.status).toBe(504)
    expect(isText(answer)).toBe(true)
  })

  it.each(['other.example.com', 'broker.default.svc.cluster.local'])('the Host %s is served', async (host) => {
    expect(await ask('/movie', [], host)).toMatchObject({ status: 200 })
  })

  it('two Hosts are another Host', async () => {
    expect(await ask('/movie', ['Host: other.example.com'])).toMatchObject({ status: 200 })
  })

  it('malformed: 400, text', async () => {
    const answer = await exchange('GET /movie HTTP/1.1\r\nHost\r\n\r\n')
    expect(answer.status).toBe(400)
    expect(isText(answer)).toBe(true)
  })

  it('headers over 16 KiB: 431 of the service; over 60 KiB 431, text', async () => {
    expect(await ask('/movie', [`X-Long: ${'a'.repeat(17_000)}`])).toMatchObject({ status: 431 })
    const answer = await ask('/movie', [`X-Long: ${'a'.repeat(62_000)}`])
    expect(answer.status).toBe(431)
    expect(isText(answer)).toBe(true)
  })

  it('a name of a header has _: 400', async () => {
    expect(await ask('/movie', ['X_Name: value'])).toMatchObject({ status: 400 })
  })

  it('a header that Connection names is left out', async () => {
    expect(await passedOn('x-named', ['X-Named: value'])).toEqual(['value'])
    expect(await passedOn('x-named', ['X-Named: value', 'Connection: x-named'])).toEqual([])
  })

  it('Expect something: 417', async () => {
    expect(await ask('/movie', ['Expect: something'])).toMatchObject({ status: 417 })
  })

  it('HTTP/1.0 is 426, HTTP/2 is spoken', async () => {
    expect(await exchange(`GET /movie HTTP/1.0\r\nHost: ${url.host}\r\n\r\n`)).toMatchObject({ status: 426 })
    const session = connectHttp2(url)
    const [headers] = await once(session.request({ ':path': '/movie' }), 'response')
    session.destroy()
    expect(headers[':status']).toBe(200)
  })
})

describe('what the Gateway passes on', () => {
  it("X-Forwarded-For: the client's address, after what the client itself says", async () => {
    const { own } = await ask('/echo')
    expect(await passedOn('x-forwarded-for')).toEqual([own])
    expect(await passedOn('x-forwarded-for', ['X-Forwarded-For: 192.0.2.1'])).toEqual([`192.0.2.1,${own}`])
  })

  it('X-Forwarded-Proto, and no X-Forwarded-Host', async () => {
    expect(await passedOn('x-forwarded-proto')).toEqual(['http'])
    expect(await passedOn('x-forwarded-host', ['X-Forwarded-Host: claimed'])).toEqual([])
  })

  it.each(['Forwarded', 'X-Real-IP', 'X-Forwarded-Port', 'X-Original-URL'])('nothing of %s', async (name) => {
    expect(await passedOn(name.toLowerCase(), [`${name}: claimed`])).toEqual([])
  })

  it('Via as the client has it', async () => {
    expect(await passedOn('via')).toEqual([])
    expect(await passedOn('via', ['Via: 1.1 somebody'])).toEqual(['1.1 somebody'])
  })

  it('X-Request-Id of its own', async () => {
    const [id, ...more] = await passedOn('x-request-id', ['X-Request-Id: claimed'])
    expect([id, ...more]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)])
  })
})
