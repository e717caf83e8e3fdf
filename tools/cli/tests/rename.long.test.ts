import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyRepository } from './new/copy.ts'

const PARTS = 'http,jwt,database,remote,outgoing'
const UNFORMATTED = 'export  const own = 1'

describe('pnpm rename', () => {
  const opened = new AsyncDisposableStack()
  let copy: Awaited<ReturnType<typeof copyRepository>>
  const rename = (...names: readonly string[]) => copy.run('pnpm', '--silent', 'rename', ...names)
  const succeed = async (...command: [string, ...string[]]) => {
    const { code, output } = await copy.run(...command)
    expect(code, output).toBe(0)
    return output
  }
  const commit = async () => {
    await succeed('git', 'add', '--all')
    await succeed('git', '-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '-m', 'More')
  }

  beforeAll(async () => {
    copy = opened.use(await copyRepository())
    await succeed('pnpm', '--silent', 'new', 'service', 'wine-cellar', '--with', PARTS, '--resource', 'bottle')
    await succeed('pnpm', '--silent', 'new', 'sink', 'ciao')
    await commit()
  })
  afterAll(() => opened.disposeAsync())

  it.each([
    ['one name', ['wine-cellar'], 'expected the name of an app, and its new name'],
    ['a path', ['wine-cellar', '../x'], '"../x" cannot be a name'],
    ['what is not there', ['nothing', 'else'], 'there is no service apps/nothing'],
    ['a package', ['jwt', 'tokens'], 'there is no service apps/jwt'],
    ['to the name of an app', ['wine-cellar', 'movie-api'], 'apps/movie-api is there already'],
    ['to the name of a package', ['wine-cellar', 'jwt'], 'packages/jwt is there already'],
    [
      'to the name of a file of the app',
      ['wine-cellar', 'bottle-store'],
      'the app has a file src/bottle-store.ts already',
    ],
    ['to the name of a file of all apps', ['wine-cellar', 'config'], 'the app has a file src/config.ts already'],
    ['to the name of a sink', ['ciao', 'eventingaloha'], 'eventingaloha is taken: system.ts has it among its sinks'],
  ])('refuses %s, and changes nothing', async (_case, names, message) => {
    expect(await rename(...names)).toEqual({ code: 2, output: expect.stringContaining(message) })
    expect(await copy.changes()).toBe('')
  })

  it('leaves all as it was when the system cannot be generated', async () => {
    const file = join(copy.root, 'system.ts')
    const own = join(copy.root, 'apps/wine-cellar/src/own.ts')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace("serves: ['/wine-cellar'", "serves: ['/movie'"))
    await writeFile(own, UNFORMATTED)
    await commit()
    expect((await rename('wine-cellar', 'beer-cellar')).code).toBe(1)
    expect(await copy.changes()).toBe('')
    expect(await readFile(own, 'utf8')).toBe(UNFORMATTED)
    await rm(own)
    await writeFile(file, text)
    await commit()
  })

  it('installs again when generate fails, also while it undoes, and names both', async () => {
    const file = join(copy.root, 'package.json')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace(/"generate": ".*"/, '"generate": "echo cannot generate; exit 3"'))
    await commit()
    const { code, output } = await rename('wine-cellar', 'beer-cellar')
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringMatching(/cannot generate.+Not all is as before.+cannot generate/s),
    })
    expect(await copy.changes()).toBe('')
    const installed = await readFile(join(copy.root, 'node_modules/.pnpm/lock.yaml'), 'utf8')
    expect(installed).toContain('apps/wine-cellar:')
    expect(installed).not.toContain('apps/beer-cellar')
    await writeFile(file, text)
    await commit()
  })

  it('renames a service and a sink, which pass their tests and checks, and names the lines that are left', async () => {
    const { code, output } = await rename('wine-cellar', 'beer-cellar')
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringContaining('renamed apps/wine-cellar to apps/beer'),
    })
    expect(output).toMatch(/^ {2}apps\/beer-cellar\/src\/bottle-routes\.ts: \d+/m)
    expect(output).not.toMatch(/^ {2}(?:deploy\/|README)/m)
    expect(await succeed('pnpm', '--silent', 'rename', 'ciao', 'salve')).toContain('apps/salve-sink')
    const filters = ['--filter=@taproom/beer-cellar', '--filter=@taproom/salve-sink']
    await succeed('pnpm', 'exec', 'biome', 'check', 'system.ts', 'apps/beer-cellar', 'apps/salve-sink')
    await succeed('pnpm', 'exec', 'turbo', 'run', 'typecheck', 'test', ...filters)
    expect(await succeed('pnpm', '--silent', 'generate', '--check')).toMatch(/^(?:note {5}[^\n]+\n)*$/)
    await succeed('git', 'add', '--all')
    const { output: changes } = await copy.run('git', 'diff', '--cached', '--name-status', '--no-renames')
    for (const path of ['apps/wine-cellar/package.json', 'apps/ciao-sink/package.json', 'deploy/knative/300-ciao.yaml'])
      expect(changes).toContain(`D\t${path}`)
    for (const path of ['apps/beer-cellar/src/beer-cellar.ts', 'deploy/kubernetes/base/apps/beer-cellar.yaml'])
      expect(changes).toContain(`A\t${path}`)
  })
})
