import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createDevIssuer } from '@taproom/jwt/testing'
import type { Place } from '@taproom/system'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { system } from './fixtures/taproom.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const UNREACHABLE = 'http://127.0.0.1:9'
const APPS = [...Object.keys(system.apps), ...Object.values(system.sinks).map(({ app }) => app)]
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taproom-alone-'))
  await createDevIssuer({ folder })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The variables that an app cannot start without, beside its port; Kafka and the remote services are not there. */
function variablesOf(app: string): Record<string, string | undefined> {
  const place: Place = {
    name: app,
    port: 0,
    gateway: 'http://127.0.0.1:9',
    given: {},
    address: () => '127.0.0.1:9',
    kept: (name) => join(folder, name),
    brings: () => true,
    issuer: { url: 'https://issuer.example', publicKeyFile: join(folder, 'public-key.pem') },
  }
  const { needs = [], env } = system.apps[app] ?? {}
  return Object.assign({ KUBE_PORT: '0' }, ...needs.map((need) => need.local(place)), env?.(place))
}

/** The line that starts an app in its README, which may name a stand-in of `pnpm start` and a port; else the one that the root's has. */
async function runLine(app: string): Promise<string> {
  const readme = await readFile(join(ROOT, `apps/${app}/README.md`), 'utf8')
  const line = new RegExp(`^(?:[A-Z_]+=\\S+ )*pnpm --filter \\./apps/${app} start$`, 'm').exec(readme)
  return line?.[0] ?? `pnpm --filter ./apps/${app} start`
}

/** As typed beside a running system, but on a free port and where no stand-in listens. */
function alone(line: string): string {
  return line.replace(/^PORT=\d+/, 'PORT=0').replace(/http:\/\/localhost:\d+/, UNREACHABLE)
}

describe.each([
  { app: 'beer-generator', standin: 'BEER_STANDIN_PORT', url: 'BEER_SERVICE_URL', path: '/v2' },
  { app: 'beer-stream', standin: 'BEER_STANDIN_PORT', url: 'BEER_SERVICE_URL', path: '/v2' },
  { app: 'movie-api', standin: 'FILM_STANDIN_PORT', url: 'FILM_SERVICE_URL', path: '/api' },
])('the README of $app', ({ app, standin, url, path }) => {
  it(`runs it beside a system: another port, and the ${standin} and base path of a stand-in`, async () => {
    const readme = await readFile(join(ROOT, `apps/${app}/README.md`), 'utf8')
    const port = new RegExp(`^${standin}=(\\d+) pnpm start`, 'm').exec(readme)?.[1]
    expect(await runLine(app)).toBe(
      `PORT=8081 ${url}=http://localhost:${port}${path} pnpm --filter ./apps/${app} start`,
    )
  })
})

describe('README: every app starts alone', () => {
  it.concurrent.each(APPS)('pnpm --filter ./apps/%s start', async (app) => {
    const pnpm = spawn('sh', ['-c', alone(await runLine(app))], {
      cwd: ROOT,
      env: { ...process.env, HOST: '127.0.0.1', PORT: '0', ...variablesOf(app) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const closed = once(pnpm, 'close')
    const output: string[] = []
    pnpm.stderr.on('data', (chunk) => output.push(String(chunk)))
    try {
      for await (const line of createInterface(pnpm.stdout)) {
        output.push(line)
        if (line.includes(`"msg":"${app} ready"`)) break
      }
      expect(output.at(-1), output.join('\n')).toContain(`"msg":"${app} ready"`)
    } finally {
      if (pnpm.pid !== undefined) process.kill(-pnpm.pid, 'SIGTERM')
      await closed
    }
  })
})
