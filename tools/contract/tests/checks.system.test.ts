import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDevIssuer } from '@taproom/jwt/testing'
import { freePort, runInProcess } from '@taproom/testkit'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { reportContract } from '../src/check-contract.ts'
import { ContractUsageError, checkContract, contractChecks, outcomeOf } from '../src/index.ts'
import { type Passing, startChanged } from './changed-system.ts'
import { system } from './taproom.ts'
import { target } from './target.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

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

type Change = (answer: Passing) => void

/** What is changed, and how it is found. Each is of another answer, so that all are looked for at once. */
const PROBLEMS: readonly (readonly [problem: string, asked: string, change: Change, found: RegExp])[] = [
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
  ['an open door', 'GET /secure/claim', status(200), /claim without a token .*: expected 401, got 200/],
  [
    'no challenge',
    'GET /secure/claim with a bad token',
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
  ['a page for what is not there', 'GET /movie/nothing-is-here', header('content-type', 'text/html'), /got text\/html/],
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
]

/** What `taproom contract` writes, and its exit code. */
const contract = (...args: readonly string[]) => runInProcess(() => checkContract(system, ROOT, args))

/** What it prints, and whether it finds nothing broken. */
async function report(...args: string[]): Promise<{ readonly isKept: boolean; readonly text: string }> {
  let text = ''
  const isKept = await reportContract({ system, root: ROOT, args, write: (line) => (text += line) })
  return { isKept, text }
}

describe('decisions 3.109: taproom contract', { tags: 'own-system', skip: target.isOwn !== true }, () => {
  afterEach(() => void vi.unstubAllEnvs())

  it('finds nothing broken in this repository, by the processes of pnpm start', async () => {
    vi.stubEnv('TAPROOM_STATE_DIR', dirname(target.keys))
    const { code, stdout, stderr } = await contract()
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^passed {4}claim-api +GET \/q\/metrics are metrics/m)
    expect(stdout).toMatch(/\n[1-9]\d+ passed, 0 failed\n$/)
  })

  it('finds nothing broken by the base URL, and says what it cannot see there', async () => {
    const { isKept, text } = await report('--url', target.url, '--keys', target.keys)
    expect(isKept, text).toBe(true)
    expect(text).toMatch(/^left out {2}claim-api +health, metrics and description: seen only where/m)
    expect(text).toMatch(/\n[1-9]\d+ passed, 0 failed, \d+ left out\n$/)
    expect(text.match(/^left out/gm)).toHaveLength(Object.keys(system.apps).length)
  })

  it('asks for the paths of system.ts where there is no description', async () => {
    await using changed = await startChanged((answer) => {
      if (answer.asked.startsWith('GET /q/openapi')) answer.status = 404
      if (answer.asked === 'PROPFIND /beer/all') answer.status = 200
    })
    const { isKept, text } = await report('--url', changed.url)
    expect(isKept, text).toBe(false)
    expect(text).toMatch(/^passed {4}claim-api +GET \/secure\/claim answers, with a challenge if that is 401$/m)
    expect(text).toMatch(/^passed {4}movie-api +PROPFIND \/movie is 405 with Allow, a problem$/m)
    expect(text).toMatch(/^failed {4}beer-stream +PROPFIND \/beer\/all is 405 .*: expected 405, got 200$/m)
  })

  it('fails with 1 when something is broken', async () => {
    await using changed = await startChanged((answer) => {
      if (answer.asked === 'GET /movie') answer.status = 500
    })
    const { code, stdout } = await contract('--url', changed.url)
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^failed {4}movie-api +GET \/movie /m) })
    expect(stdout).toMatch(/passed, 1 failed, \d+ left out\n$/)
  })

  it.each([
    [['--url', 'localhost'], '--url "localhost": expected http://… or https://…'],
    [['--keys', 'keys'], '--keys is for --url'],
    [['--url', 'http://localhost:1', '--issuer', 'x'], '--issuer is for --keys'],
    [
      ['--url', 'http://localhost:1', '--keys', '/nowhere'],
      '--keys "/nowhere": expected a folder with private-key.pem',
    ],
    [['--uri'], "Unknown option '--uri'"],
  ])('%j is a wrong command line, with the reason', async (args, message) => {
    await expect(report(...args)).rejects.toThrow(ContractUsageError)
    await expect(report(...args)).rejects.toMatchObject({ message: expect.stringContaining(message), hasUsage: true })
  })

  it('tells a wrong command line in one line, with the usage, and exit code 2', async () => {
    const { code, stdout, stderr } = await contract('--uri')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^pnpm contract: Unknown option '--uri'.*\nusage: pnpm contract \[--url URL/s)
  })

  it('says in one line that there is no system', async () => {
    vi.stubEnv('TAPROOM_STATE_DIR', join(tmpdir(), randomUUID()))
    const message = expect.stringMatching(/^no system runs on .*$/)
    await expect(report()).rejects.toMatchObject({ message, hasUsage: false })
    const url = `http://127.0.0.1:${await freePort()}`
    await expect(report('--url', url)).rejects.toThrow(/^nothing answers at .*$/)
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

  describe('where many answers are changed', () => {
    let failures: readonly string[]
    beforeAll(async () => {
      await using changed = await startChanged((answer) => {
        for (const [, asked, change] of PROBLEMS) if (answer.asked === asked) change(answer)
      })
      failures = await failuresOf(changed.url)
    })

    it.each(PROBLEMS)('find %s', (_problem, _asked, _change, found) => {
      expect(failures).toContainEqual(expect.stringMatching(found))
    })
  })

  it.each([
    ['accept a sink that refuses a type that it has no handler for', 'type', 0],
    ['find a sink that refuses events for another reason', 'data', 2],
  ])('decisions 1.53: %s', async (_what, attribute, count) => {
    await using changed = await startChanged((answer) => {
      if (answer.asked !== 'POST /sinks/eventingaloha' || answer.status !== 200) return
      answer.status = 400
      answer.headers.set('content-type', 'application/problem+json')
      answer.body = JSON.stringify({ status: 400, title: 'Bad Request', attribute })
    })
    const failures = await failuresOf(changed.url)
    expect(failures.filter((line) => line.startsWith('eventingaloha: '))).toHaveLength(count)
  })

  // Without a description no operation is looked at.
  it('find a description that is none', async () => {
    await using changed = await startChanged((answer) => {
      if (answer.asked === 'GET /q/openapi?format=json') json((body) => delete body['info'])(answer)
    })
    expect(await failuresOf(changed.url)).toContainEqual(
      expect.stringMatching(/GET \/q\/openapi is valid OpenAPI 3.1: no valid OpenAPI/),
    )
  })
})
