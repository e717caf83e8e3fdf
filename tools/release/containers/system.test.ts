import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { SMALL_HEAP } from '@taproom/processes'
import { LONGEST_WAIT_MS, readSse, startSseCrowd, waitFor } from '@taproom/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Container, docker, inspect, logLines, runningContainers } from './docker.ts'

const project = process.env['COMPOSE_PROJECT_NAME'] ?? ''
const SERVICES = [
  'beer-generator',
  'beer-standin',
  'beer-stream',
  'claim-api',
  'event-platform',
  'film-standin',
  'movie-api',
  'price-generator',
]

let all: Container[]
let ours: Container[]
beforeAll(async () => {
  all = await runningContainers(project)
  ours = all.filter(({ Config }) => Config.Image.endsWith(':development'))
})

/** What an expression is in Node inside of each of our containers, which have no shell, by service. */
async function inEach(expression: string): Promise<Record<string, string>> {
  const outputs = await Promise.all(
    ours.map(
      async ({ service, Id }) => [service, await docker('exec', Id, 'node', ...SMALL_HEAP, '-p', expression)] as const,
    ),
  )
  return Object.fromEntries(outputs)
}

const expectAll = (outputs: Record<string, string>, value: string) =>
  expect(outputs).toEqual(Object.fromEntries(SERVICES.map((service) => [service, value])))

describe('the containers of deploy/compose.yaml', () => {
  it('all run, and all are healthy', () => {
    expect(all.map(({ service }) => service)).toEqual([...SERVICES, 'gateway', 'kafka', 'postgres'].toSorted())
    expect(all.filter(({ State }) => State.Health?.Status !== 'healthy').map(({ service }) => service)).toEqual([])
  })

  it('run as no root, without capabilities', async () => {
    expectAll(await inEach('process.getuid()'), '1000')
    expectAll(await inEach(`/^CapEff:\\t(.*)/m.exec(fs.readFileSync('/proc/1/status', 'utf8'))[1]`), '0000000000000000')
  })

  it('have a root file system that nobody can write to', async () => {
    expect(ours.filter(({ HostConfig }) => !HostConfig.ReadonlyRootfs)).toEqual([])
    const refused = (path: string) => `(() => { try { fs.writeFileSync('${path}', '') } catch { return true } })()`
    expectAll(await inEach(['/app/x', '/etc/x', '/usr/x'].map(refused).join(' && ')), 'true')
  })

  it('run the app itself as their first process, in production mode', async () => {
    expectAll(await inEach(`fs.readFileSync('/proc/1/cmdline', 'utf8').split('\\0')[0]`), 'node')
    expectAll(await inEach('process.env.NODE_ENV'), 'production')
  })

  it('hold Node, bundles, and of packages those with native code only', async () => {
    expectAll(
      await inEach(`fs.readdirSync('/usr/local/bin') + '|' + fs.existsSync('/bin') + '|' + fs.existsSync('/sbin')`),
      'node|false|false',
    )
    const ofNative = /\/node_modules(?:$|\/better-sqlite3(?:$|\/))/
    const known = /^(?:[\w/-]+|.+\.cjs|.+\/licenses\.txt|.+\/page\/\w+\.(?:js|css|html)|compile-cache\/.+|deploy\/.+)$/
    const inApp = await inEach(`fs.readdirSync('/app', { recursive: true }).join()`)
    for (const [service, names] of Object.entries(inApp)) {
      const ours = names.split(',').filter((name) => !(service === 'movie-api' && ofNative.test(name)))
      const strange = ours.filter((name) => !known.test(name) || name.includes('node_modules'))
      expect(strange, service).toEqual([])
    }
  })

  it('are small, and have their code compiled', async () => {
    const images = [...new Set(ours.map(({ Config }) => Config.Image))]
    for (const image of images) {
      const size = Number(await docker('image', 'inspect', '--format', '{{.Size}}', image))
      expect(size, image).toBeLessThan(120_000_000)
    }
    const files = `fs.readdirSync('/app', { recursive: true }).filter((name) => !name.startsWith('deploy'))`
    const own = await inEach(`${files}.reduce((bytes, name) => bytes + fs.lstatSync('/app/' + name).size, 0)`)
    // SQLite alone is 2.1 MB of movie-api.
    const tooLarge = Object.entries(own).filter(([app, bytes]) => Number(bytes) > (app === 'movie-api' ? 5.6e6 : 3.8e6))
    expect(tooLarge).toEqual([])
    const cached = `fs.readdirSync(require('node:module').getCompileCacheDir()).length > 0`
    expectAll(await inEach(cached), 'true')
  })

  it('say what they are by the labels of OCI', async () => {
    for (const { Config } of ours) {
      const label = (name: string) => Config.Labels[`org.opencontainers.image.${name}`]
      expect(label('licenses'), Config.Image).toBe('Apache-2.0')
      expect(label('title'), Config.Image).toBeTruthy()
      expect(label('revision'), Config.Image).toMatch(/^[0-9a-f]{40}$/)
    }
  })

  it('became ready soon after they were started', async () => {
    const times = await Promise.all(
      ours.map(async ({ service, Id, State }) => {
        const ready = (await logLines(Id)).find(({ msg }) => msg === `${service} ready`)
        return { service, ms: Date.parse(String(ready?.['time'])) - Date.parse(State.StartedAt) }
      }),
    )
    for (const { service, ms } of times) console.log(`${service}: ready ${ms} ms after its container was started`)
    expect(times.filter(({ ms }) => !(ms < 15_000))).toEqual([])
  })

  describe('behind a gateway with TLS', () => {
    const url = `https://localhost:${process.env['HTTPS_PORT']}`
    const HSTS = 'strict-transport-security'

    it('decisions 3.54: answer, and tell browsers to come by TLS from then on, but not without TLS', async () => {
      for (const [path, status] of Object.entries({ '/movie?year=1980': 200, '/secure/claim': 401, '/nowhere': 404 })) {
        const answer = await fetch(`${url}${path}`)
        expect([answer.status, answer.headers.get(HSTS)], path).toEqual([status, 'max-age=31536000'])
      }
      const plain = await fetch(`http://localhost:${process.env['PORT']}/movie?year=1980`)
      expect([plain.status, plain.headers.get(HSTS)]).toEqual([200, null])
    })

    it('stream each beer when it comes', async () => {
      const beers: string[] = []
      for await (const { event, data } of readSse(`${url}/beer`, { signal: AbortSignal.timeout(LONGEST_WAIT_MS) })) {
        expect(event).toBe('message')
        if (beers.push(data) === 3) break
      }
      expect(beers.map((data) => JSON.parse(data))).toEqual(
        beers.map(() => ({ name: expect.any(String), price: expect.any(Number) })),
      )
    })

    it('stream to 2,100 clients at once, each by two connections of the gateway', async () => {
      await using crowd = startSseCrowd()
      await crowd.open(`http://127.0.0.1:${process.env['PORT']}/beer`, 2100)
      expect(await crowd.report()).toMatchObject({ closed: 0 })
    })

    it('take events', async () => {
      const event = { 'Ce-Id': randomUUID(), 'Ce-Specversion': '1.0', 'Ce-Type': 'by-tls', 'Ce-Source': 'test' }
      const headers = { ...event, 'Content-Type': 'application/json' }
      const sent = await fetch(`${url}/brokers/default/default`, { method: 'POST', headers, body: '{}' })
      expect(sent.status).toBe(202)
    })

    it('know a client by its address, and not by what it says', async () => {
      const gateway = all.find(({ service }) => service === 'gateway')
      const [network] = Object.values(gateway?.NetworkSettings.Networks ?? {})
      const { Id } = ours.find(({ service }) => service === 'claim-api') ?? { Id: '' }
      const path = `/secure/claim`
      const forged = { 'X-Forwarded-For': '198.51.100.9', Forwarded: 'for=198.51.100.9', Authorization: 'Bearer none' }
      expect((await fetch(`${url}${path}`, { headers: forged })).status).toBe(401)
      const clients = await waitFor('the refusal in the log', async () => {
        const found = (await logLines(Id)).flatMap(({ client }) => client ?? [])
        return found.length > 0 && found
      })
      expect(new Set(clients)).toEqual(new Set([network?.Gateway]))
    })
  })

  it('decisions 3.139: are behind a gateway that serves this machine alone, and no name that a page can make', async () => {
    const { Id = '' } = all.find(({ service }) => service === 'gateway') ?? {}
    const published = (await docker('port', Id)).trim().split('\n')
    expect(published.filter((line) => !/ -> 127\.0\.0\.1:\d+$/.test(line))).toEqual([])
    const options = { port: process.env['PORT'], path: '/movie?year=1980', headers: { host: 'evil.example' } }
    const [refused] = (await once(get({ host: '127.0.0.1', ...options }), 'response')) as [IncomingMessage]
    expect(refused.resume().statusCode).toBe(421)
  })

  it('end with 0 on SIGTERM within their grace', async () => {
    const ids = ours.map(({ Id }) => Id)
    await docker('stop', '--time', '15', ...ids)
    expect((await inspect(ids)).map(({ service, State }) => [service, State.ExitCode])).toEqual(
      SERVICES.map((service) => [service, 0]),
    )
  })

  it('leave a gateway that says so as problem+json, and when to try again', async () => {
    const away = await fetch(`http://localhost:${process.env['PORT']}/movie`)
    expect(away.status).toBe(503)
    expect(away.headers.get('retry-after')).toBe('1')
    expect(away.headers.get('content-type')).toBe('application/problem+json')
    expect(await away.json()).toMatchObject({ status: 503 })
    const nowhere = await fetch(`http://localhost:${process.env['PORT']}/nowhere`)
    expect(nowhere.status).toBe(404)
    expect(await nowhere.json()).toMatchObject({ status: 404 })
  })
})
