import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { endingWithParent, startNode } from '@taproom/processes'
import { freePort, LONGEST_WAIT_MS, waitFor, withProgress } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorkspaces } from '../../src/new/new-workspaces.ts'
import { PARTS, type Part, RESOURCE_PARTS, readParts } from '../../src/new/parts.ts'
import { readProject } from '../../src/new/project.ts'
import { appEntry, withEntry } from '../../src/new/system-entry.ts'
import { templateFiles } from '../../src/new/template-files.ts'
import { ALL_PARTS } from './all-parts.ts'
import { copyRepository } from './copy.ts'

const ALL = ALL_PARTS.join(',')
/** Made beside the one with all parts; their tests are run with `TAPROOM_NEW_PARTS=each`. */
const SINGLE = ['none', ...Object.keys(PARTS)]
const NAMES = ['all', 'everything-and-order', 'order', ...SINGLE].map((parts) => `with-${parts}`)
const FOLDERS = [...NAMES.map((name) => `apps/${name}`), 'apps/ciao-sink', 'apps/ledger-sink', 'packages/cellar-tools']
/** Made while the system runs. */
const LATE = 'with-late'
const OF_LEDGER = `      SINK_LEDGER__DATABASE_URL: postgres://ledger@postgres/ledger
      SINK_LEDGER__KAFKA_BOOTSTRAP_SERVERS: kafka:9092
`
const MADE = ['with-all', 'with-everything-and-order', 'with-order', 'ciao-sink', 'ledger-sink', 'cellar-tools']
const OF_TURBO = MADE.map((name) => `--filter=@taproom/${name}`)

describe('pnpm new', () => {
  const opened = new AsyncDisposableStack()
  let copy: Awaited<ReturnType<typeof copyRepository>>
  beforeAll(async () => {
    copy = opened.use(await copyRepository())
  })
  afterAll(() => opened.disposeAsync())

  const changeCompose = async (change: (text: string) => string) => {
    const path = join(copy.root, 'deploy/compose.yaml')
    await writeFile(path, change(await readFile(path, 'utf8')))
  }
  const succeed = async (...command: [string, ...string[]]) => {
    const { code, output } = await copy.run(...command)
    expect(code, output).toBe(0)
    return output
  }

  it.each([
    ['a path', ['service', '../outside'], '"../outside" cannot be a name'],
    ['the name of an app', ['service', 'movie-api'], 'apps/movie-api is there already'],
    ['the name of a package', ['service', 'jwt'], 'packages/jwt is there already'],
    ['the name of a container', ['service', 'postgres'], 'deploy/compose.yaml has a container'],
    ['a name of every system', ['service', 'postgresql'], 'postgresql is taken: systems have one of their own'],
    ['a part that is not there', ['service', 'a', '--with', 'soap'], '"soap" is no part'],
  ])('decisions 3.77: refuses %s, and changes nothing', async (_case, args, message) => {
    const { code, output } = await copy.run('pnpm', '--silent', 'new', ...args)
    expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining(message) })
    expect(await copy.changes()).toBe('')
  })

  it('decisions 3.77: leaves nothing when the system cannot take the service, because its path is served', async () => {
    const { code, output } = await copy.run('pnpm', '--silent', 'new', 'service', 'movie', '--with', 'http')
    expect(code).toBe(1)
    expect(output).toContain('/movie is served by movie-api and by movie')
    expect(await copy.changes()).toBe('')
  })

  it('makes services, sinks and a package', async () => {
    await succeed('pnpm', '--silent', 'new', 'service', 'with-all', '--with', ALL)
    const resource = ['--resource', 'order', '--with', ALL]
    await succeed('pnpm', '--silent', 'new', 'service', 'with-everything-and-order', ...resource)
    await succeed('pnpm', '--silent', 'new', 'sink', 'ciao')
    const code = ['--type', 'order.placed', '--with', 'database,outgoing']
    await succeed('pnpm', '--silent', 'new', 'sink', 'ledger', ...code)
    // People wrote event-platform into this repository's Compose, so they add what the check says that the sink needs.
    await changeCompose((text) => text.replace(/^ +SCALE_TO_ZERO_IDLE_MS:/m, (line) => `${OF_LEDGER}${line}`))
    await succeed('pnpm', '--silent', 'new', 'package', 'cellar-tools')
    const changes = await copy.changes()
    for (const path of ['apps/with-all/', 'apps/ciao-sink/', 'packages/cellar-tools/', 'deploy/knative/300-ciao.yaml'])
      expect(changes).toContain(`?? ${path}`)
  })

  it('makes services of one part each, and one of a resource alone', async () => {
    const project = readProject(copy.root)
    const workspace = async (name: string, parts: ReadonlySet<Part>, resource?: string) => ({
      folder: `apps/${name}`,
      files: await templateFiles({ template: 'service', name, parts, ...(resource && { resource }), project }),
      enter: (text: string) => withEntry(text, 'apps', appEntry(name, parts, { hasResource: resource !== undefined })),
    })
    const services = SINGLE.map((part) => workspace(`with-${part}`, readParts(part === 'none' ? '' : part)))
    services.push(workspace('with-order', new Set(RESOURCE_PARTS), 'order'))
    await makeWorkspaces(project, await Promise.all(services))
  })

  it('decisions 3.78: which pass what checks all code, at once', async () => {
    // Those with one part in one go: their settings are those of the one with all.
    const settings = { extends: '../tsconfig.base.json', include: ['../apps/with-*/src', '../apps/with-*/tests'] }
    await mkdir(join(copy.root, '.taproom'), { recursive: true })
    await writeFile(join(copy.root, '.taproom/tsconfig.json'), JSON.stringify(settings))
    await Promise.all([
      succeed('pnpm', 'exec', 'biome', 'check', 'system.ts', ...FOLDERS),
      succeed('pnpm', 'exec', 'turbo', 'run', 'typecheck', ...OF_TURBO),
      succeed('pnpm', 'exec', 'tsc', '-p', '.taproom'),
      succeed('pnpm', 'exec', 'knip'),
      succeed('pnpm', 'exec', 'turbo', 'boundaries'),
    ])
    const text = await readFile(join(copy.root, 'apps/with-all/src/with-all.ts'), 'utf8')
    expect(text).not.toMatch(/begin|template/i)
  })

  it('decisions 3.78: and all tests', async () => {
    const alone = process.env['TAPROOM_NEW_PARTS'] === 'each' ? SINGLE : []
    const filters = alone.map((part) => `--filter=@taproom/with-${part}`)
    await succeed('pnpm', 'exec', 'turbo', 'run', 'test', '--filter=@taproom/system', ...OF_TURBO, ...filters)
  })

  it('decisions 3.78, 3.149: and run under pnpm start, also one that is made while it runs', async () => {
    const port = await freePort()
    const env = {
      PATH: process.env['PATH'],
      PORT: String(port),
      KUBE_PORT: String(await freePort()),
      KAFKA_PORT: '0',
      TAPROOM_STATE_DIR: join(copy.root, '.taproom'),
    }
    const lines: string[] = []
    await using system = startNode({
      args: [...endingWithParent(join(copy.root, 'tools/cli/src/main.ts')), 'start'],
      cwd: copy.root,
      env,
      onLine: (line) => lines.push(line),
    })
    const url = `http://127.0.0.1:${port}`
    await waitFor('the system to be ready', async () => {
      const response = await fetch(`${url}/q/health/ready`).catch(() => undefined)
      return response?.status === 200
    })
    const token = (await succeed('pnpm', '--silent', 'run', 'token')).match(/^[\w-]+\.[\w-]+\.[\w-]+$/m)?.[0]
    const response = await fetch(`${url}/with-all`, { headers: { Authorization: `Bearer ${token}` } })
    expect(await response.json()).toEqual({ greeting: 'Hello' })
    expect((await fetch(`${url}/with-all`)).status).toBe(401)
    const json = { 'Content-Type': 'application/json' }
    const added = await fetch(`${url}/with-order`, { method: 'POST', headers: json, body: '{"name":"ale"}' })
    expect({ status: added.status, body: await added.json() }).toEqual({ status: 201, body: { id: 1, name: 'ale' } })
    const found = await fetch(`${url}${added.headers.get('location')}`)
    expect(await found.json()).toEqual({ id: 1, name: 'ale' })
    const list = await (await fetch(`${url}/with-order?limit=1`)).json()
    expect(list).toEqual({ items: [{ id: 1, name: 'ale' }] })
    const health = await (await fetch(`${url}/q/health`)).text()
    for (const name of NAMES) expect(health).toContain(`"${name}"`)

    const headers = { 'Content-Type': 'application/json', 'Ce-Id': '1', 'Ce-Specversion': '1.0' }
    await fetch(`${url}/brokers/default/default`, {
      method: 'POST',
      headers: { ...headers, 'Ce-Type': 'greeting', 'Ce-Source': 'test' },
      body: '{}',
    })
    await waitFor('the sink to log the event', () =>
      lines.some((line) => line.includes('"ciao"') && line.includes('event received')),
    )

    const posted = (message: unknown) =>
      fetch(`${url}/sinks/ledger`, {
        method: 'POST',
        headers: { ...headers, 'Ce-Type': 'order.placed', 'Ce-Source': 'test' },
        body: JSON.stringify({ message }),
      })
    expect((await posted('a stout')).status).toBe(200)
    expect((await posted(1)).status).toBe(400)
    expect(existsSync(join(copy.root, '.taproom/ledger-sink.sqlite'))).toBe(true)

    await succeed('pnpm', '--silent', 'new', 'service', LATE)
    await waitFor('the system with another service', async () => {
      const response = await fetch(`${url}/${LATE}`).catch(() => undefined)
      return response?.status === 200
    })
    // How it ends is for the tests of start: on a busy machine it kills itself when it takes long.
    await withProgress(system.stop(LONGEST_WAIT_MS), 'the end of the system')
  })

  it('decisions 3.104: are removed as a folder and an entry', async () => {
    for (const folder of [...FOLDERS, `apps/${LATE}`]) await rm(join(copy.root, folder), { recursive: true })
    const system = join(copy.root, 'system.ts')
    const entries = new RegExp(
      `^    '?(${[...NAMES, LATE].join('|')})'?: \\{\n.*?^    \\},\n|^  (ciao|ledger): {\n.*?^  },\n`,
      'gms',
    )
    await writeFile(system, (await readFile(system, 'utf8')).replaceAll(entries, ''))
    await changeCompose((text) => text.replace(OF_LEDGER, ''))
    await succeed('pnpm', 'install', '--no-frozen-lockfile', '--offline')
    await succeed('pnpm', 'run', 'generate')
    expect(await copy.changes()).toBe('')
  })
})
