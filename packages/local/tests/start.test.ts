import { execFileSync } from 'node:child_process'
import { mkdir, open, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isAlive } from './fixtures/processes.ts'
import {
  makeSurroundings,
  runScript,
  runStart,
  type StartRun,
  type Variables,
  waitUntilReady,
} from './fixtures/system.ts'

const apps = ['claim-api', 'movie-api', 'beer-generator', 'price-generator', 'beer-stream', 'event-platform']
const everything = ['embedded-kafka', 'film-standin', 'beer-standin', ...apps]

describe('pnpm start', () => {
  let place: Awaited<ReturnType<typeof makeSurroundings>>
  let start: StartRun
  beforeAll(async () => {
    place = await makeSurroundings()
    start = runStart(place.variables)
    await waitUntilReady(start)
  }, 60_000)
  afterAll(async () => {
    start.signal('SIGTERM')
    await start.exit
    await place[Symbol.asyncDispose]()
  })

  const service = (...args: string[]) => runScript('service', place.variables, ...args)
  const pids = async () => {
    const { stdout } = await service('list')
    return Object.fromEntries(
      Array.from(stdout.matchAll(/^(\S+).*pid=(\d+)/gm), ([, name = '', pid]) => [name, Number(pid)]),
    )
  }

  it('tells what it starts, then what runs where, then four lines to try', () => {
    const told = start.stderr()
    for (const name of everything) {
      expect(told).toContain(`starting  ${name}`)
      expect(told).toMatch(new RegExp(`ready +${name} +after \\d+\\.\\d s`))
      expect(told).toMatch(new RegExp(`^  ${name} +\\S+:\\d+(/\\w+)? +ready +\\d+$`, 'm'))
    }
    expect(told).toContain(`\nready ${place.url} after`)
    expect(told.split('\n').filter((line) => line.startsWith('  curl '))).toHaveLength(4)
  })

  it('lead: passes log lines on as one JSON object each, with the service', async () => {
    const lines = start.stdout().trim().split('\n')
    expect(lines.length).toBeGreaterThan(everything.length)
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ service: expect.any(String) })
  })

  it("reports every service's health", async () => {
    const response = await fetch(`${place.url}/q/health`)
    expect(response.status).toBe(200)
    const { status, checks } = (await response.json()) as { status: string; checks: { name: string }[] }
    expect(status).toBe('UP')
    expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining([...apps, "I'm alive"]))
  })

  it('accepts the tokens of pnpm token', async () => {
    const claim = async (...args: string[]) => {
      const { stdout } = await runScript('token', place.variables, ...args)
      const response = await fetch(`${place.url}/secure/claim`, {
        headers: { authorization: `Bearer ${stdout.trim()}` },
      })
      return [response.status, await response.text()]
    }
    expect(await claim('--groups', 'Subscriber', '--user', 'duke')).toEqual([200, 'duke'])
    expect(await claim('--groups', 'other')).toEqual([403, 'Forbidden'])
    expect(await claim('--expires-in', '-10')).toEqual([401, ''])
    expect(await claim('--iss', 'https://other.example')).toEqual([401, ''])
  })

  it('stops a stand-in and starts it again without disturbing anything else', async () => {
    const before = await pids()
    expect((await service('stop', 'beer-standin')).stdout).toMatch(/^beer-standin +stopped/)
    expect((await fetch(`${place.url}/beer/all`)).status).toBe(502)
    expect((await service('start', 'beer-standin')).stdout).toMatch(/^beer-standin +ready/)
    expect((await fetch(`${place.url}/beer/all`)).status).toBe(200)
    const { 'beer-standin': standin, ...others } = await pids()
    expect(before).toMatchObject(others)
    expect(standin).not.toBe(before['beer-standin'])
  })

  it('names the services when there is no such one, and the usage when there is no such verb', async () => {
    const unknown = await service('stop', 'nothing')
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('expected one of embedded-kafka') })
    expect(await service('burn', 'movie-api')).toMatchObject({ code: 1, stderr: expect.stringContaining('usage:') })
  })

  it('starts a killed service again', async () => {
    const { 'claim-api': pid = 0 } = await pids()
    process.kill(pid, 'SIGKILL')
    await waitFor('the restart', async () => {
      const { 'claim-api': now } = await pids()
      return now !== undefined && now !== pid && (await fetch(`${place.url}/secure/claim`)).status === 401
    })
  })

  it('lets no second system have the same state folder', async () => {
    const second = runStart({ ...place.variables, PORT: '0', KUBE_PORT: '0', KAFKA_PORT: '0' })
    expect(await second.exit).toBe(1)
    expect(second.stderr()).toContain(`another system runs on ${place.variables['TAPROOM_STATE_DIR']}`)
    expect((await fetch(`${place.url}/q/health/live`)).status).toBe(200)
  })
})

describe('the end of pnpm start', () => {
  /** Starts a system, ends it by a signal, and gives its exit code once no process of it is left. */
  async function endBy(signal: NodeJS.Signals, variables: Variables): Promise<number | null> {
    const start = runStart(variables)
    await waitUntilReady(start)
    const pids = Array.from(start.stderr().matchAll(/ ready +(\d+)$/gm), ([, pid]) => Number(pid))
    expect(pids.length).toBeGreaterThanOrEqual(everything.length)
    const endedAt = performance.now()
    start.signal(signal)
    const code = await start.exit
    const isAnyAlive = async () => (await Promise.all(pids.map(isAlive))).includes(true)
    await waitFor('the end of all', async () => !(await isAnyAlive()), { timeoutMs: 5000 })
    expect(performance.now() - endedAt).toBeLessThan(5000)
    return code
  }

  it('leaves no process behind within five seconds of Ctrl-C and exits 0', async () => {
    await using place = await makeSurroundings()
    expect(await endBy('SIGINT', place.variables)).toBe(0)
  }, 60_000)

  it('leaves no process behind when it is killed, and the next start takes its state over', async () => {
    await using place = await makeSurroundings()
    expect(await endBy('SIGKILL', place.variables)).toBeNull()
    expect(await endBy('SIGTERM', place.variables)).toBe(0)
  }, 60_000)
})

describe('pnpm start --help', () => {
  it('prints the usage and starts nothing', async () => {
    const start = runStart({ PORT: 'abc' }, '--help')
    expect(await start.exit).toBe(0)
    expect(start.stdout()).toMatch(/^usage: pnpm start \[--fresh\]\n/)
    expect(start.stderr()).toBe('')
  })
})

describe('a start that fails', () => {
  it('ends within five seconds of a signal, whatever it hangs in', async () => {
    await using place = await makeSurroundings()
    const state = place.variables['TAPROOM_STATE_DIR'] ?? ''
    await mkdir(state)
    execFileSync('mkfifo', [join(state, 'lock')])
    const start = runStart(place.variables)
    // Opens once the other end is read from; as nothing is written, that reading never ends.
    await using _writer = await open(join(state, 'lock'), 'w')
    const signalledAt = performance.now()
    start.signal('SIGTERM')
    await start.exit
    expect(start.stderr()).toContain('stopping')
    expect(performance.now() - signalledAt).toBeLessThan(5500)
  }, 20_000)

  it('is one message when TAPROOM_STATE_DIR cannot be created', async () => {
    await using place = await makeSurroundings()
    const start = runStart({ ...place.variables, TAPROOM_STATE_DIR: '/proc/taproom' })
    expect(await start.exit).toBe(1)
    expect(start.stderr()).toContain('TAPROOM_STATE_DIR="/proc/taproom": ')
    expect(start.stderr().trim().split('\n')).toHaveLength(2)
  })

  it('names each port in use with its variable and exits 1', async () => {
    await using place = await makeSurroundings()
    const servers = place.ports.map((port) => createServer().listen(port, '127.0.0.1'))
    try {
      const start = runStart(place.variables)
      expect(await start.exit).toBe(1)
      for (const name of ['PORT', 'KUBE_PORT', 'KAFKA_PORT']) {
        const port = place.variables[name]
        expect(start.stderr()).toContain(
          `port ${port} is in use: stop what listens there or set ${name} to a free port`,
        )
      }
      expect(start.stderr()).not.toContain('starting')
    } finally {
      for (const server of servers) server.close()
    }
  })

  it('tells every invalid variable of every service once and exits 1', async () => {
    await using place = await makeSurroundings()
    const data = join(place.folder, 'beers.json')
    await writeFile(data, '[{"id":1}]')
    const invalid = {
      PRICE_MIN: 'abc',
      BEER_INTERVAL_MS: '0',
      FILM_RETRY_MAX_RETRIES: '-5',
      BEER_STANDIN_DATA: data,
      FILM_STANDIN_DATA: '/nowhere/films.json',
    }
    const start = runStart({ ...place.variables, ...invalid })
    expect(await start.exit).toBe(1)
    const told = start.stderr().slice(start.stderr().indexOf('pnpm start failed'))
    for (const name of Object.keys(invalid)) expect(told.split(name)).toHaveLength(2)
    expect(told).toContain('"name" is no string')
    expect(told).not.toContain('    at ')
  })

  it.each([
    [
      'an invalid variable of its own',
      { KUBE_PORT: 'abc' },
      [],
      'KUBE_PORT="abc": expected a whole number from 0 to 65535',
    ],
    ['production mode without a key', { NODE_ENV: 'production' }, [], 'no development key is made in production mode'],
    ['an unknown argument', {}, ['--frsh'], 'usage: pnpm start [--fresh]'],
  ])('says what is wrong in one message and exits 1: %s', async (_case, variables, args, message) => {
    await using place = await makeSurroundings()
    const start = runStart({ ...place.variables, ...variables }, ...args)
    expect(await start.exit).toBe(1)
    expect(start.stderr()).toContain(message)
    expect(start.stderr().trim().split('\n')).toHaveLength(2)
  })
})
