import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { startHttpServer, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { send } from './event-requests.ts'
import { type RunningPlatform, runPlatform } from './running-platform.ts'

/** Echoes requests; `/until?URL` answers when the URL does, `/crash` ends the process. */
const ECHO = `
import { createServer, get } from 'node:http'
const server = createServer(async (req, res) => {
  if (req.url === '/crash') process.exit(1)
  if (req.url === '/pid') return res.end(String(process.pid))
  const [, url] = req.url.split('/until?')
  if (url) await new Promise((resolve) => get(url, resolve).on('error', resolve))
  const chunks = []
  for await (const chunk of req) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString('base64')
  res.writeHead(207, { 'x-echo': 'yes', 'set-cookie': ['a=1', 'b=2'] })
  res.end(JSON.stringify({ method: req.method, url: req.url, headers: req.rawHeaders, body, env: Object.keys(process.env) }))
})
server.listen(Number(process.env.PORT), process.env.HOST, () => {
  console.log('a line that is not JSON')
  console.log(JSON.stringify({ msg: 'echo ready', port: server.address().port }))
})
process.on('SIGTERM', () => process.exit(0))
`
const FAILING = 'process.exit(3)'

const service = (name: string, app: string, annotations = '{}') => `
apiVersion: serving.knative.dev/v1
kind: Service
metadata: { name: ${name} }
spec:
  template:
    metadata: { annotations: ${annotations} }
    spec:
      containers: [{ image: apps/${app}, env: [{ name: GREETING, value: hello }] }]
`

/** Requests to `path` of an echo are answered when it is open. */
async function startGate() {
  const opened = Promise.withResolvers<void>()
  const server = await startHttpServer((_req, res) => void opened.promise.then(() => res.end()))
  return { ...server, path: `/until?${server.url}`, open: opened.resolve }
}

describe('requests to services', () => {
  let appsDir: string
  let running: RunningPlatform
  const state = (name: string) => running.platform.serving.state({ namespace: 'default', name })?.instances

  /** Sends a request as it is, with its host, and gives what comes back until the connection ends. */
  const sendRaw = async (head: string) => {
    const { hostname, port } = new URL(running.url)
    const socket = connect(Number(port), hostname)
    socket.write(head.replace(' HTTP/1.1\r\n', ' HTTP/1.1\r\nHost: x\r\nConnection: close\r\n'))
    return text(socket)
  }

  beforeAll(async () => {
    appsDir = await mkdtemp(join(tmpdir(), 'apps-'))
    for (const [app, source] of Object.entries({ echo: ECHO, failing: FAILING })) {
      await mkdir(join(appsDir, app, 'dist'), { recursive: true })
      await writeFile(join(appsDir, app, 'package.json'), '{"type":"module"}')
      await writeFile(join(appsDir, app, 'dist/main.js'), source)
    }
    running = await runPlatform({
      bootstrapServers: '127.0.0.1:1',
      env: {
        APPS_DIR: appsDir,
        SCALE_TO_ZERO_IDLE_MS: '1500',
        SINK_MAX_INSTANCES: '3',
        GATEWAY_ALLOWED_HOSTS: 'x,tap.example',
      },
      files: {
        'services.yaml': [
          service('echo', 'echo', '{ autoscaling.knative.dev/target: "1" }'),
          service('crowd', 'echo', '{ autoscaling.knative.dev/target: "1" }'),
          service('kept', 'echo', '{ autoscaling.knative.dev/min-scale: "1" }'),
          service('missing', 'no-such-app'),
        ].join('---'),
      },
    })
  })
  afterAll(async () => {
    await running?.[Symbol.asyncDispose]()
    await rm(appsDir, { recursive: true, force: true })
  })

  it('pass body and headers on untouched, and the answer back', async () => {
    const body = Buffer.from([0, 255, 1, 254, 10, 13])
    const headers = { 'ce-id': 'ä%20b', 'X-Mixed-Case': 'Kept', host: 'tap.example' }
    const answer = await send(`${running.url}/sinks/echo/deep/path?a=1&a=2`, { method: 'PUT', headers, body })
    expect(answer.status).toBe(207)
    expect(answer.headers).toMatchObject({ 'x-echo': 'yes', 'set-cookie': ['a=1', 'b=2'] })
    const echo = JSON.parse(answer.body) as { headers: string[] }
    expect(echo).toMatchObject({ method: 'PUT', url: '/deep/path?a=1&a=2', body: body.toString('base64') })
    const pairs = echo.headers.flatMap((name, index) =>
      index % 2 === 0 ? [`${name}: ${echo.headers[index + 1]}`] : [],
    )
    expect(pairs).toEqual(expect.arrayContaining(['X-Mixed-Case: Kept', 'Host: tap.example', 'Content-Length: 6']))
  })

  it('reach an app that gets its own variables and nothing of the platform', async () => {
    const { env } = JSON.parse((await send(`${running.url}/sinks/echo`, { method: 'GET' })).body) as { env: string[] }
    const own = ['GREETING', 'HOST', 'K_CONFIGURATION', 'K_REVISION', 'K_SERVICE', 'PATH', 'PORT']
    expect(env.sort()).toEqual([...own, 'MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE'].sort())
  })

  it('decisions 1.69: bring more instances while they exceed the target', async () => {
    await using gate = await startGate()
    const answers = Promise.all([1, 2, 3].map(() => send(`${running.url}/sinks/crowd${gate.path}`, { method: 'GET' })))
    await waitFor('there are as many instances as requests', () => state('crowd')?.ready === 3)
    gate.open()
    expect((await answers).map(({ status }) => status)).toEqual([207, 207, 207])
    await waitFor('it is back at zero', () => state('crowd')?.ready === 0)
  })

  it('reach a new instance once any annotation of the template has changed', async () => {
    const pid = async () => (await send(`${running.url}/sinks/renewed/pid`, { method: 'GET' })).body
    await running.write('renewed.yaml', service('renewed', 'echo', '{ example.com/restarted: "1" }'))
    const first = await waitFor('the first instance', async () => /^\d+$/.exec(await pid())?.[0])
    await running.write('renewed.yaml', service('renewed', 'echo', '{ example.com/restarted: "2" }'))
    const isAnother = async () => {
      const now = await pid()
      return /^\d+$/.test(now) && now !== first
    }
    await waitFor('the second instance', isAnother, { intervalMs: 250 })
    expect(running.platform.serving.state({ namespace: 'default', name: 'renewed' })?.revision).toBe('renewed-00002')
  })

  it('decisions 1.54: get 503 with Retry-After when no instance becomes ready in time', async () => {
    await using impatient = await runPlatform({
      bootstrapServers: '127.0.0.1:1',
      env: { APPS_DIR: appsDir, SINK_START_TIMEOUT_MS: '2000' },
      files: { 'services.yaml': service('failing', 'failing') },
    })
    const answer = await send(`${impatient.url}/sinks/failing`, { body: '{}' })
    expect(answer.status).toBe(503)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('get 503 at once when the app does not exist, 404 when the service does not', async () => {
    expect((await send(`${running.url}/sinks/missing`, { body: '{}' })).status).toBe(503)
    expect((await send(`${running.url}/sinks/nobody`, { body: '{}' })).status).toBe(404)
  })

  it('get 502 when the app ends instead of answering, and are served again after that', async () => {
    expect((await send(`${running.url}/sinks/echo/crash`, { method: 'GET' })).status).toBe(502)
    const isServed = async () => (await send(`${running.url}/sinks/echo`, { method: 'GET' })).status === 207
    await waitFor('requests are served again', isServed)
  })

  it('are held and answered by another instance after the only one was killed, each time', async () => {
    const post = (path = '') => send(`${running.url}/sinks/echo${path}`, { method: 'POST', body: 'an event' })
    for (let round = 0; round < 2; round += 1) {
      const { body: pid } = await post('/pid')
      process.kill(Number(pid), 'SIGKILL')
      const answers = await Promise.all([post(), post()])
      expect(answers.map(({ status }) => status)).toEqual([207, 207])
      for (const { body } of answers) expect(JSON.parse(body).body).toBe(Buffer.from('an event').toString('base64'))
    }
    expect(state('echo')?.crashes).toBeLessThan(2)
  })

  it('reach an instance with the path as it came, and with one framing whatever the method', async () => {
    const answer = await sendRaw(
      'DELETE /sinks/echo//%2e%2e/../a?b=/../c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    )
    const echo = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)) as { headers: string[] }
    expect(echo).toMatchObject({
      method: 'DELETE',
      url: '//%2e%2e/../a?b=/../c',
      body: Buffer.from('abc').toString('base64'),
    })
    const framings = echo.headers.filter((name) => /^(?:transfer-encoding|content-length)$/i.test(name))
    expect(framings).toEqual(['Transfer-Encoding'])
  })

  it('are 400 problem+json when their Connection names a header of the message', async () => {
    for (const name of ['content-length', 'ce-id', 'content-type', 'host']) {
      const answer = await sendRaw(`POST /sinks/echo HTTP/1.1\r\nConnection: ${name}\r\nContent-Length: 3\r\n\r\nabc`)
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer).toContain(`names ${name}`)
    }
  })

  it('are forgotten when their client leaves', async () => {
    await using gate = await startGate()
    const leaving = request(`${running.url}/sinks/echo${gate.path}`, { agent: false })
    leaving.on('error', () => {})
    leaving.end()
    await waitFor('it is in flight', () => state('echo')?.inFlight === 1)
    leaving.destroy()
    await waitFor('it is forgotten', () => state('echo')?.inFlight === 0)
  })

  it('find an instance ready when min-scale keeps one', async () => {
    await waitFor('there is one without any request', () => state('kept')?.ready === 1)
  })

  it('log lines of the app that are plain text in its name', () => {
    const line = running.lines.find((text) => text.includes('a line that is not JSON')) ?? '{}'
    expect(JSON.parse(line)).toMatchObject({ level: 'info', service: 'echo', msg: 'a line that is not JSON' })
  })
})
