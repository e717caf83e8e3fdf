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

/** What a shell line prints inside of each of our containers, by service. */
async function inEach(line: string): Promise<Record<string, string>> {
  const outputs = await Promise.all(
    ours.map(async ({ service, Id }) => [service, await docker('exec', Id, 'sh', '-c', line)] as const),
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
    expectAll(await inEach('id -u'), '1000')
    expectAll(await inEach("sed -n 's/^CapEff:\\t//p' /proc/1/status"), '0000000000000000')
  })

  it('have a root file system that nobody can write to', async () => {
    expect(ours.filter(({ HostConfig }) => !HostConfig.ReadonlyRootfs)).toEqual([])
    expectAll(await inEach('touch /app/x /home/x /usr/x 2>/dev/null || echo refused'), 'refused')
  })

  it('run the app itself as their first process, in production mode', async () => {
    expectAll(await inEach("tr '\\0' '\\n' </proc/1/cmdline | head -1"), 'node')
    expectAll(await inEach('echo $NODE_ENV'), 'production')
  })

  it('hold compiled code and production dependencies only', async () => {
    expectAll(
      await inEach(
        "find /app -name node_modules -prune -o \\( -name src -o -name tests -o -name '*.ts' -o -name testkit \\) -print",
      ),
      '',
    )
    expectAll(await inEach("ls /app/node_modules/.pnpm | grep -E '^(typescript|vitest|turbo|@biomejs)' || true"), '')
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
