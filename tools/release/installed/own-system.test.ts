import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { findCompose, findNginx } from '../src/deploy-checks/compose-files.ts'
import { readTarball, type Tarball } from '../src/publish/tarball.ts'
import { type LoopbackRegistry, startRegistry } from './loopback-registry.ts'
import { withVersion } from './next-version.ts'
import { openGuide } from './user-guide.ts'
import { userMachine } from './user-machine.ts'

const PNPM = ['npx', '-y', 'pnpm@12'] as const
const NEXT = '0.99.0'

/** Each step is the next one of a user who has nothing but Node, npm and the packages of a registry. */
describe('decisions 3.98: a system of somebody else', () => {
  let folder: string
  let registry: LoopbackRegistry
  let machine: Awaited<ReturnType<typeof userMachine>>
  let tarballs: readonly Tarball[]
  let guide: Awaited<ReturnType<typeof openGuide>>
  let hasKubectl: boolean

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'taproom-user-'))
    registry = await startRegistry(join(folder, 'registry'))
    machine = await userMachine(folder, registry.url)
    guide = await openGuide(machine)
    hasKubectl = / Version: v[5-9]/.test((await machine.run('.', 'kubectl', 'version', '--client')).output)
    if (!hasKubectl) console.warn('NOT RUN: the manifests are not rendered, for want of a kubectl of 1.27 or later')
    const packed = inject('tarballs')
    tarballs = await Promise.all((await readdir(packed)).map((name) => readTarball(join(packed, name))))
    for (const tarball of tarballs) await registry.publish(tarball)
  })
  afterAll(async () => {
    await registry?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  async function succeed(where: string, command: string, ...args: readonly string[]): Promise<string> {
    const { code, output } = await machine.run(where, command, ...args)
    expect(code, output).toBe(0)
    return output
  }
  const pnpm = (...args: readonly string[]) => succeed('shop', PNPM[0], ...PNPM.slice(1), ...args)
  const create = (name: string) =>
    machine.run('.', 'npm', 'create', '-y', '--registry', registry.url, 'taproom@latest', name)

  it.each([
    ['../outside', '"../outside" cannot be a name'],
    ['taproom', 'the name of the packages'],
    ['full', 'full is not empty: there is a-file'],
    ['file', 'file is a file'],
  ])('cannot be %s, and then nothing is made', async (name, message) => {
    await mkdir(join(machine.work, 'full'), { recursive: true })
    for (const path of ['full/a-file', 'file']) await writeFile(join(machine.work, path), '')
    const before = await readdir(machine.work, { recursive: true })
    const { code, output } = await create(name)
    expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining(message) })
    expect(await readdir(machine.work, { recursive: true })).toEqual(before)
  })

  it('is made by one command, and passes its tests and checks at once', async () => {
    const output = await guide.follow('Make it', '.')
    expect(output).toContain('npx -y pnpm@12 start')
    expect(output).toMatch(/Tests.* [1-9]\d* passed/)
    // Others than who made it may read it, as in a container.
    const { mode } = await stat(join(machine.work, 'shop/apps/hello'))
    expect(mode & 0o055).toBe((await stat(join(machine.work, 'shop/apps'))).mode & 0o055)
  })

  it('runs: its service answers, and an event reaches its sink', async () => {
    await using system = await machine.start('shop')
    await guide.follow('Run it', 'shop', system)
    await waitFor('the event at the sink', () => /"greetings-sink".*event received/.test(system.output()))
    expect(await pnpm('-s', 'service', 'list')).toMatch(/^hello +ready/m)
    const routes = join(machine.work, 'shop/apps/hello/src/hello-routes.ts')
    const source = await readFile(routes, 'utf8')
    await writeFile(routes, source.replace("'Hello'", "'Hello again'"))
    await waitFor('the changed source to answer', async () => {
      return (await (await fetch(`${system.url}/hello`)).text()) === '{"greeting":"Hello again"}'
    })
    await writeFile(routes, source)
    await system.stop()
    expect(system.output()).toContain('\nstopped\n')
  })

  it('decisions 3.159: starts from a clone with at most 260 MB, and its tests then install the rest', async () => {
    const filter = (path: string) => !/\/(?:node_modules|\.taproom)$/.test(path)
    await cp(join(machine.work, 'shop'), join(machine.work, 'clone'), { recursive: true, filter })
    {
      await using system = await machine.start('clone')
      expect(system.output()).toContain('installing what the system runs on')
      expect(await (await fetch(`${system.url}/hello`)).json()).toEqual({ greeting: 'Hello' })
    }
    const megabytes = async () => Number.parseInt(await succeed('clone', 'du', '-sm', 'node_modules'), 10)
    expect(await megabytes()).toBeLessThanOrEqual(260)
    const tested = await succeed('clone', PNPM[0], ...PNPM.slice(1), 'test')
    expect(tested).toContain('installing everything')
    expect(tested).toMatch(/Tests.* [1-9]\d* passed/)
    const all = await megabytes()
    const usage = await succeed('clone', PNPM[0], ...PNPM.slice(1), 'start', '--help')
    expect(usage).not.toContain('installing')
    expect(await megabytes()).toBeGreaterThanOrEqual(all)
  })

  it('gets another service with a database and tokens, a sink and a package, which pass tests and checks', async () => {
    expect(await guide.follow('Add to it', 'shop')).toContain('apps/orders/tests/orders.test.ts')
  })

  it('decisions 3.77: gives a service another name, under which it passes tests and checks', async () => {
    const output = await guide.follow('Rename and remove', 'shop')
    expect(output).toContain('apps/quotes/tests/quotes.test.ts')
    const system = await readFile(join(machine.work, 'shop/system.ts'), 'utf8')
    expect(system).toMatch(/^ {4}quotes: \{$/m)
    expect(system).toContain("serves: ['/offers']")
  })

  it('is told by its check which file is not as system.ts says', async () => {
    const file = join(machine.work, 'shop/deploy/gateway.conf')
    await writeFile(file, `${await readFile(file, 'utf8')}# by mistake\n`)
    const { code, output } = await machine.run('shop', PNPM[0], ...PNPM.slice(1), 'check')
    expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/^differs {2}deploy\/gateway\.conf$/m) })
    await pnpm('generate')
    await pnpm('check')
  })

  it('decisions 3.109: keeps what it promises, and is told when a service does not', async () => {
    await using system = await machine.start('shop')
    await guide.follow('Check it from outside', 'shop', system)
    const source = join(machine.work, 'shop/apps/hello/src/hello-routes.ts')
    const text = await readFile(source, 'utf8')
    await writeFile(source, text.replace("'Hello'", '42'))
    await waitFor('the service to be another', async () =>
      (await (await fetch(`${system.url}/hello`)).text()).includes('42'),
    )
    const { code, output } = await machine.run('shop', PNPM[0], ...PNPM.slice(1), '-s', 'contract')
    expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/^failed +hello +GET \/hello answers/m) })
    expect(output).toMatch(/passed, 1 failed\n/)
    await writeFile(source, text)
  })

  it('decisions 3.107: has manifests of all its services, which kubectl renders', async () => {
    const compose = await readFile(join(machine.work, 'shop/deploy/compose.yaml'), 'utf8')
    for (const name of ['hello', 'orders', 'event-platform', 'kafka', 'postgres'])
      expect(compose).toMatch(new RegExp(`^  ${name}:$`, 'm'))
    if (!hasKubectl) return
    const render = (overlay: string) => succeed('shop', 'kubectl', 'kustomize', `deploy/kubernetes/overlays/${overlay}`)
    for (const overlay of ['development', 'production']) {
      expect(await render(overlay)).toMatch(/kind: Deployment\nmetadata:\n(?: {2}.*\n)* {2}name: orders\n/)
    }
    expect(await render('knative')).toMatch(/kind: Trigger\nmetadata:\n(?: {2}.*\n)* {2}name: billing\n/)
    await writeFile(join(machine.work, 'shop/database-url.txt'), 'text')
    for (const line of guide.kubectl) {
      const command = `${line} --server=http://127.0.0.1:1 --request-timeout=60s`
      expect((await machine.run('shop', 'bash', '--norc', '-c', command)).output, line).toMatch(
        /was refused|connection refused/,
      )
    }
    expect(guide.kubectl.length).toBeGreaterThan(5)
    await rm(join(machine.work, 'shop/database-url.txt'))
  })

  it.each([
    ['compose.yaml', 'Compose', findCompose],
    ['gateway.conf', 'nginx', findNginx],
  ])('decisions 3.107: has a %s that %s reads, where it is', async (file, program, find) => {
    const problemsOf = await find()
    if (problemsOf === undefined) console.warn(`NOT RUN: ${program} does not read ${file}, for it is not here`)
    else expect(await problemsOf(join(machine.work, 'shop'))).toBe('')
  })

  it('is all that the guide says', () => {
    expect(guide.left()).toEqual([])
  })

  it('is brought to the next version by one command, and passes its tests again', async () => {
    for (const tarball of tarballs) {
      await registry.publish(await withVersion(tarball, NEXT, join(folder, 'next', tarball.manifest.name)))
    }
    await pnpm('update', '--recursive', '--latest', '@taproom/*')
    for (const path of ['package.json', 'apps/hello/package.json', 'apps/orders/package.json']) {
      const { dependencies, devDependencies } = JSON.parse(await readFile(join(machine.work, 'shop', path), 'utf8'))
      const ours = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
        name.startsWith('@taproom/'),
      )
      expect(ours.length, path).toBeGreaterThan(1)
      expect(ours.filter(([, range]) => range !== `^${NEXT}`)).toEqual([])
    }
    expect(await readFile(join(machine.work, 'shop/pnpm-lock.yaml'), 'utf8')).not.toMatch(/@taproom\/[\w-]+@0\.1\.0/)
    expect(await pnpm('test')).toMatch(/Tests.* [1-9]\d* passed/)
  })
})
