import { readFile } from 'node:fs/promises'
import type { PageReport } from '@taproom/health'
import { run } from '@taproom/processes'
import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlServices, printToken } from '../src/index.ts'
import { runHere } from './fixtures/command.ts'
import { controlOf } from './fixtures/control.ts'
import { makeSurroundings, runScript, runStart, type StartRun, waitUntilReady } from './fixtures/system.ts'
import { system } from './fixtures/taproom.ts'

const apps = Object.keys(system.apps)
const readme = new URL('../../../README.md', import.meta.url)
const everything = [...Object.keys(system.standIns), ...apps]

describe('pnpm start', () => {
  let place: Awaited<ReturnType<typeof makeSurroundings>>
  let start: StartRun
  beforeAll(async () => {
    place = await makeSurroundings()
    start = runStart({ ...place.variables, PRICE_MINN: '1' })
    await waitUntilReady(start)
  })
  afterAll(async () => {
    await start[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
  })

  const service = (...args: string[]) => runHere(place.variables, () => controlServices(args, place.folder))
  const pids = async () =>
    Object.fromEntries((await controlOf(place.variables).list()).map(({ name, pid }) => [name, pid]))

  it('prints the start of each service, then what runs where, then four lines to try', () => {
    const told = start.stderr()
    for (const name of everything) {
      expect(told).toContain(`starting  ${name}`)
      expect(told).toMatch(new RegExp(`ready +${name} +after \\d+\\.\\d s`))
      expect(told).toMatch(new RegExp(`^  ${name} +\\S+:\\d+(/\\w+)? +(not )?ready +\\d+$`, 'm'))
    }
    expect(told).toMatch(new RegExp(`^(ready|up, but not ready: .*;) ${place.url} after`, 'm'))
    expect(told.split('\n').filter((line) => line.startsWith('  curl '))).toHaveLength(4)
  })

  it('warns of a variable that nothing reads, with the one that was meant', async () => {
    await waitFor('the warning', () =>
      start.stderr().includes('PRICE_MINN is read by nothing here; did you mean PRICE_MIN?\n'),
    )
    expect(start.stderr().match(/is read by nothing/g)).toHaveLength(1)
  })

  it('decisions 3.114: prints the address of the console with a secret that nothing else has', async () => {
    const [, printed, secret = ''] = /(http:\S+)#session=(\S{40,})/.exec(start.stderr()) ?? []
    expect(secret).not.toBe('')
    const answer = await fetch(place.url, { headers: { accept: 'text/html' }, redirect: 'manual' })
    const console = answer.headers.get('location') ?? ''
    expect(console).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
    expect(printed).toBe(console)
    const seen = [console, await (await fetch(place.url)).text(), start.stdout()]
    for (const { pid } of await controlOf(place.variables).list()) {
      seen.push((await run('ps', ['-ww', '-o', 'args=', '-p', String(pid)])).stdout)
    }
    expect(seen.join('\n')).not.toContain(secret)
    const services = (authorization: string) => fetch(`${console}api/services`, { headers: { authorization } })
    expect((await services('Bearer x')).status).toBe(401)
    expect((await services(`Bearer ${secret}`)).status).toBe(200)
  })

  it('decisions 3.114: sends the console the traces of services, the gateway among them', async () => {
    const told = await waitFor('the lines', () => {
      const lines = start
        .stdout()
        .split('\n')
        .filter((line) => line.includes('"traces are exported"'))
      return lines.length > apps.length && lines
    })
    const services = told.map((line) => (JSON.parse(line) as { service: string }).service)
    expect(services).toEqual(expect.arrayContaining([...apps, 'gateway']))
  })

  it('decisions 3.23: passes log lines on as one JSON object each, with the service', async () => {
    const lines = start.stdout().trim().split('\n')
    expect(lines.length).toBeGreaterThan(everything.length)
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ service: expect.any(String) })
  })

  it("reports every service's health", async () => {
    const response = await waitFor('health to be UP', async () => {
      const asked = await fetch(`${place.url}/q/health`)
      return asked.status === 200 && asked
    })
    const { status, checks } = (await response.json()) as { status: string; checks: { name: string }[] }
    expect(status).toBe('UP')
    expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining([...apps, "I'm alive"]))
  })

  it.each(apps)(
    'lists the process of %s among what is worth knowing, not in its liveness or readiness',
    async (name) => {
      // A service that answers late is in the page's next report.
      const reports = await waitFor('its own report', async () => {
        const { services } = (await (await fetch(`${place.url}/q/health-ui/report`)).json()) as PageReport
        const { reports = {} } = services.find((service) => service.name === name) ?? {}
        return ['live', 'ready', 'well'].every((kind) => kind in reports) && reports
      })
      const kinds = Object.entries(reports).filter(([, { checks }]) => checks.some((check) => check.name === 'Process'))
      expect(kinds.map(([kind]) => kind)).toEqual(['well'])
      expect(reports['live']?.checks[0]).toEqual({ name: "I'm alive", status: 'UP' })
    },
  )

  it('accepts the tokens of pnpm token', async () => {
    const inProcess = (...args: string[]) => runScript('token', place.variables, ...args)
    const here = (...args: string[]) => runHere(place.variables, () => printToken(args, { root: place.folder, system }))
    const claim = async (token: typeof here | typeof inProcess, ...args: string[]) => {
      const { stdout, stderr } = await token(...args)
      expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^\S+\n$/), stderr: '' })
      const response = await fetch(`${place.url}/secure/claim`, {
        headers: { authorization: `Bearer ${stdout.trim()}` },
      })
      return [response.status, await response.text()]
    }
    expect(await claim(inProcess, '--groups', 'Subscriber', '--user', 'duke')).toEqual([200, 'duke'])
    expect(await claim(here, '--groups', 'other')).toEqual([403, 'Forbidden'])
    expect(await claim(here, '--expires-in', '-10')).toEqual([401, ''])
    expect(await claim(here, '--claim', 'iss="https://other.example"')).toEqual([401, ''])
  })

  it('shows the resources with the kubectl line of the README', { tags: 'kubectl' }, async () => {
    const [, line = ''] = /`(kubectl [^`]+)`/.exec(await readFile(readme, 'utf8')) ?? []
    expect(line).toContain(' -s http://localhost:8001 ')
    const command = line.replace('8001', place.variables['KUBE_PORT'] ?? '')
    const { stdout } = await run('sh', ['-c', command], { env: { ...place.variables, HOME: place.folder } })
    expect(stdout).toMatch(/broker.*\/default .*trigger.*\/aloha.*service.*\/eventingbonjour/s)
  })

  it('stops a stand-in and starts it again without disturbing anything else', async () => {
    const before = await pids()
    const { stdout: list } = await runScript('service', place.variables, 'list')
    expect(list).toMatch(/^service +state +pid +port +crashes +checks that are DOWN\n/)
    for (const name of [...everything, 'console'])
      expect(list).toMatch(new RegExp(`^${name} +\\w+ +\\d+ +\\d+ +0$`, 'm'))
    expect(list).toMatch(/\n\nsink .*\ndefault\/eventingaloha +(?:asleep|ready) +\d$/m)
    expect(list).toMatch(/\n\nconsole {2}http:\S+#session=\S+\n$/)
    expect((await service('stop', 'beer-standin')).stdout).toMatch(/^beer-standin +stopped/)
    expect((await fetch(`${place.url}/beer/all`)).status).toBe(502)
    expect((await service('start', 'beer-standin')).stdout).toMatch(/^beer-standin +ready/)
    expect((await fetch(`${place.url}/beer/all`)).status).toBe(200)
    const { 'beer-standin': standin, ...others } = await pids()
    expect(before).toMatchObject(others)
    expect(standin).not.toBe(before['beer-standin'])
  })

  it('is DOWN while the film service is away, and UP again without a restart of anything else', async () => {
    const control = controlOf(place.variables)
    const { 'film-standin': _, ...others } = await pids()
    const readiness = (status: number) =>
      waitFor(`readiness to be ${status}`, async () => (await fetch(`${place.url}/q/health/ready`)).status === status)
    await readiness(200)
    await control.stop('film-standin')
    await readiness(503)
    await control.start('film-standin')
    await readiness(200)
    expect(await pids()).toMatchObject(others)
  })

  it('names the services when there is no such one', async () => {
    const unknown = await service('stop', 'nothing')
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('expected one of embedded-kafka') })
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
