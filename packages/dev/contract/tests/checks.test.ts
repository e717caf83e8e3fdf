import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createDevIssuer } from '@taproom/jwt/testing'
import { freePort, runScript, startHttpServer } from '@taproom/testkit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { contractChecks, outcomeOf } from '../src/index.ts'
import { system } from './taproom.ts'
import { target } from './target.ts'

const main = new URL('../../cli/src/main.ts', import.meta.url)

/** An answer on its way to who asked. */
interface Passing {
  readonly asked: string
  status: number
  headers: Headers
  body: string
}

/** The system, with one of its answers changed; the rest passes. */
function startChanged(change: (answer: Passing) => void) {
  return startHttpServer(async (req, res) => {
    const chunks = await Array.fromAsync(req)
    const { host: _host, connection: _connection, 'transfer-encoding': _encoding, ...headers } = req.headers
    const isStream = req.url === '/beer'
    // Over a connection of its own: one that is kept may be closed by the system at the moment it is used.
    const asked = request(target.url + req.url, { method: req.method, headers, agent: false }).end(
      Buffer.concat(chunks),
    )
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    const body = isStream ? '' : Buffer.concat(await response.toArray()).toString()
    response.destroy()
    const lines = Object.entries(response.headersDistinct)
    const answer: Passing = {
      asked: `${req.method} ${req.url}`,
      status: response.statusCode ?? 0,
      headers: new Headers(
        lines.flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value])),
      ),
      body,
    }
    for (const name of ['content-length', 'connection', 'transfer-encoding']) answer.headers.delete(name)
    change(answer)
    res.writeHead(answer.status, Object.fromEntries(answer.headers)).end(answer.body)
  })
}

const issuer = await createDevIssuer({
  folder: target.keys,
  ...(target.issuer !== undefined && { issuer: target.issuer }),
})

async function failuresOf(url: string): Promise<readonly string[]> {
  const token = { text: await issuer.sign({ groups: [] }), issuer: issuer.issuer }
  // As if each app were where the base URL is, which has health and description, too, and no metrics.
  const checks = await contractChecks({ system, url, healthRootPath: '/q/health', apps: { 'claim-api': url }, token })
  const outcomes = await Promise.all(checks.map(async (check) => ({ check, outcome: await outcomeOf(check) })))
  expect(outcomes.length).toBeGreaterThan(30)
  return outcomes
    .filter(({ outcome }) => outcome.state === 'failed')
    .map(({ check, outcome }) => `${check.subject}: ${check.name}: ${'reason' in outcome ? outcome.reason : ''}`)
    .filter((line) => !line.endsWith('it is not running') && !line.includes('/q/metrics'))
}

const json = (change: (body: Record<string, unknown>) => void) => (answer: Passing) => {
  const body = JSON.parse(answer.body)
  change(body)
  answer.body = JSON.stringify(body)
}
const header = (name: string, value: string) => (answer: Passing) => answer.headers.set(name, value)
const status = (code: number) => (answer: Passing) => {
  answer.status = code
}

describe('decisions 3.109: taproom contract', { tags: 'own-system', skip: target.isOwn !== true }, () => {
  afterEach(() => void vi.unstubAllEnvs())

  it('finds nothing broken in this repository, by the processes of pnpm start', async () => {
    vi.stubEnv('TAPROOM_STATE_DIR', dirname(target.keys))
    const { code, stdout, stderr } = await runScript(main, ['contract'])
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^passed {4}claim-api +GET \/q\/metrics are metrics/m)
    expect(stdout).toMatch(/\n[1-9]\d+ passed, 0 failed\n$/)
  })

  it('finds nothing broken by the base URL, and says what it cannot see there', async () => {
    const { code, stdout, stderr } = await runScript(main, ['contract', '--url', target.url, '--keys', target.keys])
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^left out {2}claim-api +health, metrics and description: seen only where/m)
    expect(stdout).toMatch(/\n[1-9]\d+ passed, 0 failed, 6 left out\n$/)
  })

  it('asks for the paths of system.ts where there is no description', async () => {
    await using changed = await startChanged((answer) => {
      if (answer.asked.startsWith('GET /q/openapi')) answer.status = 404
      if (answer.asked === 'PROPFIND /beer/all') answer.status = 200
    })
    const { code, stdout } = await runScript(main, ['contract', '--url', changed.url])
    expect(code, stdout).toBe(1)
    expect(stdout).toMatch(/^passed {4}claim-api +GET \/secure\/claim answers, with a challenge if that is 401$/m)
    expect(stdout).toMatch(/^passed {4}movie-api +PROPFIND \/movie is 405 with Allow, a problem$/m)
    expect(stdout).toMatch(/^failed {4}beer-stream +PROPFIND \/beer\/all is 405 .*: expected 405, got 200$/m)
  })

  it('fails with 1 when something is broken', async () => {
    await using changed = await startChanged((answer) => {
      if (answer.asked === 'GET /movie') answer.status = 500
    })
    const { code, stdout } = await runScript(main, ['contract', '--url', changed.url])
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^failed {4}movie-api +GET \/movie /m) })
    expect(stdout).toMatch(/passed, 1 failed, \d+ left out\n$/)
  })

  it.concurrent.each([
    [['--url', 'localhost'], '--url "localhost": expected http://… or https://…'],
    [['--keys', 'keys'], '--keys is for --url'],
    [['--url', 'http://localhost:1', '--issuer', 'x'], '--issuer is for --keys'],
    [
      ['--url', 'http://localhost:1', '--keys', '/nowhere'],
      '--keys "/nowhere": expected a folder with private-key.pem',
    ],
    [['--uri'], "Unknown option '--uri'"],
  ])('%j is told in one line, with the usage, and exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await runScript(main, ['contract', ...args])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.split('\n')[0]).toContain(message)
    expect(stderr).toContain('\nusage: pnpm contract [--url URL')
  })

  it('says in one line that there is no system', async () => {
    vi.stubEnv('TAPROOM_STATE_DIR', join(tmpdir(), randomUUID()))
    const { code, stderr } = await runScript(main, ['contract'])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^pnpm contract: no system runs on .*\n$/),
    })
    const url = `http://127.0.0.1:${await freePort()}`
    expect((await runScript(main, ['contract', '--url', url])).stderr).toMatch(
      /^pnpm contract: nothing answers at .*\n$/,
    )
  })
})

describe('decisions 3.109: the checks of a contract', { tags: 'own-system', skip: target.isOwn !== true }, () => {
  it('pass where nothing is changed', async () => {
    await using changed = await startChanged(() => {})
    expect(await failuresOf(changed.url)).toEqual([])
  })

  it('leave to an app what is below a path that it serves with all below', async () => {
    const namesOf = async (serves: readonly string[]) => {
      const apps = { ...system.apps, 'movie-api': { ...system.apps['movie-api'], serves } }
      const checks = await contractChecks({
        system: { ...system, apps },
        url: target.url,
        healthRootPath: '/q/health',
        apps: {},
      })
      return checks.map(({ name }) => name)
    }
    const nothing = 'GET /movie/nothing-is-here is 404, a problem'
    expect(await namesOf(['/movie'])).toContain(nothing)
    expect(await namesOf(['/movie', '/movie/*'])).not.toContain(nothing)
    const beer = 'GET /beer/all/nothing-is-here is 404, a problem'
    expect(await namesOf(['/movie'])).toContain(beer)
    expect(await namesOf(['/beer/*'])).not.toContain(beer)
  })

  it.concurrent.each<[problem: string, asked: string, change: (answer: Passing) => void, found: RegExp]>([
    ['health that is DOWN', 'GET /q/health/ready', status(503), /ready .*: it is 503 with the status UP/],
    [
      'a check that is DOWN',
      'GET /q/health/live',
      json((body) => (body['checks'] = [{ name: 'disk', status: 'DOWN' }])),
      /live .*: its status is "UP", with 1 checks DOWN/,
    ],
    ['a check without a name', 'GET /q/health', json((body) => (body['checks'] = [{ status: 'UP' }])), /no name/],
    [
      'health in words',
      'GET /q/health/started',
      header('content-type', 'text/plain'),
      /started .*: expected application\/json/,
    ],
    [
      'a description that is none',
      'GET /q/openapi?format=json',
      json((body) => delete body['info']),
      /GET \/q\/openapi is valid OpenAPI 3.1: no valid OpenAPI/,
    ],
    ['an open door', 'GET /secure/claim', status(200), /claim without a token .*: expected 401, got 200/],
    [
      'no challenge',
      'GET /secure/claim',
      (answer) => answer.headers.delete('www-authenticate'),
      /not a Bearer challenge/,
    ],
    [
      'another answer than the described one',
      'GET /movie',
      json((body) => Object.assign(body, [{ title: 1 }])),
      /GET \/movie answers as it is described: .*the body does not fit/,
    ],
    ['a method that is taken', 'PATCH /movie', status(200), /PATCH \/movie is 405 with Allow, a problem: /],
    [
      'a page for what is not there',
      'GET /movie/nothing-is-here',
      header('content-type', 'text/html'),
      /got text\/html/,
    ],
    [
      'a broker that is away',
      'POST /brokers/default/default',
      status(500),
      /broker: .*binary mode: expected 202, got 500/,
    ],
    [
      'a sink that takes anything',
      'POST /sinks/eventingaloha',
      status(200),
      /eventingaloha: .*without an id: expected 400/,
    ],
  ])('find %s', async (_problem, asked, change, found) => {
    await using changed = await startChanged((answer) => {
      if (answer.asked === asked) change(answer)
    })
    const failures = await failuresOf(changed.url)
    expect(failures).toContainEqual(expect.stringMatching(found))
  })
})
