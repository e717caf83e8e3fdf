import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { run, startNode } from '@taproom/processes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AppBundle, bundleApp } from '../src/bundle-app.ts'
import { writeFiles } from '../src/bundle-files.ts'

const HUGE = 'a dialect that no service uses'
/** Packages whose files are in a bundle as they are, but for a dialect of knex. */
const PACKAGES: Readonly<Record<string, string>> = {
  'express/index.js': "exports.json = () => 'a body parser'",
  'knex/index.js': `
exports.dialects = { pg: () => require('./lib/dialects/postgres'), mysql: () => require('./lib/dialects/mysql') }`,
  'knex/lib/dialects/postgres/index.js': "exports.name = 'pg'",
  'knex/lib/dialects/mysql/index.js': `exports.name = '${HUGE}'`,
  'pg/index.js': `
try { exports.native = require('pg-native') } catch { exports.native = 'not installed' }`,
}
const SOURCES: Readonly<Record<string, string>> = {
  'main.ts': `
import express from 'express'
import knex from 'knex'
import pg from 'pg'
import { reasonOf, shared } from './shared.ts'
const works = [express.json(), knex.dialects.pg().name, pg.native, shared()]
console.log(JSON.stringify({ failure: reasonOf(() => knex.dialects.mysql()), works }))
`,
  'shared.ts': `
export const shared = (): string => 'of both'
export function reasonOf(attempt: () => unknown): string {
  try {
    return String(attempt())
  } catch (error) {
    return (error as Error).message
  }
}
`,
  'stopped.ts': `
import './slow.ts'
if (process.env.HAS_HANDLER) process.on('SIGTERM', () => { console.log('in order'); process.exit() })
setInterval(() => {}, 1000)
`,
  'slow.ts': `
import { existsSync } from 'node:fs'
console.log('loading')
while (!existsSync(process.env.LOADED ?? '')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
`,
  'signs.ts': `
/** More… */
const ending = /…$/u
console.log(JSON.stringify(['wait…', \`\${'a…'} \u{1f37a}🍺\`, ending.test('a…')]))
`,
  'named.ts': `
import { shared } from './shared.ts'
class ServiceError extends Error { constructor(text: string) { super(text); this.name = new.target.name } }
const arrowFunction = (aVariable: number) => { const anotherVariable = aVariable * 2; if (anotherVariable > 1) throw new ServiceError(shared()) }
function namedFunction(aParameter: number) { arrowFunction(aParameter + 1); return aParameter }
try { namedFunction(Number('1')) } catch (error) { console.log((error as Error).stack, arrowFunction.name) }
`,
}

let folder: string
let bundle: AppBundle
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'app-bundle-')))
  const packages = Object.entries(PACKAGES).map(([path, text]) => [`node_modules/${path}`, text] as const)
  for (const [path, text] of [...packages, ...Object.entries(SOURCES)]) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const names = ['main', 'named', 'signs', 'stopped']
  const entries = Object.fromEntries(names.map((name) => [name, join(folder, `${name}.ts`)]))
  bundle = await bundleApp({ entries, conditions: [] })
  writeFiles(bundle.files.map(([name, code]) => [join(folder, 'bundle', name), code] as const))
})
afterAll(() => rm(folder, { recursive: true }))

async function runBundled(name: string): Promise<string> {
  const { stdout } = await run(process.execPath, [join(folder, 'bundle', name)])
  return stdout
}

describe('the bundle of an app', () => {
  it.each([
    ['its own handler', { HAS_HANDLER: 'yes' }, { lines: ['loading', 'in order'], code: 0 }],
    ['no handler', {}, { lines: ['loading'], code: 143 }],
  ])('decisions 1.75: a signal while modules load ends a program with %s', async (_case, env, expected) => {
    const loaded = join(folder, `loaded-${expected.code}`)
    const lines: string[] = []
    const loading = Promise.withResolvers<void>()
    const program = startNode({
      args: [join(folder, 'bundle/stopped.cjs')],
      env: { ...env, LOADED: loaded },
      onLine(line) {
        lines.push(line)
        loading.resolve()
      },
    })
    await loading.promise
    program.signal('SIGTERM')
    await writeFile(loaded, '')
    expect({ lines, code: (await program.ended).code }).toEqual(expected)
  })

  it('has packages as they are, but for dialects of knex that no service uses', async () => {
    expect(bundle.files.map(([, code]) => code).join()).not.toContain(HUGE)
    const { failure, works } = JSON.parse(await runBundled('main.cjs'))
    expect(failure).toBe("knex's dialect mysql is not in the bundle of a service")
    expect(works).toEqual(['a body parser', 'pg', 'not installed', 'of both'])
  })

  it('names functions and classes as the sources do, and nothing else', async () => {
    const stack = await runBundled('named.cjs')
    expect(stack).toMatch(/^ServiceError: of both\n {4}at arrowFunction \(.*\n {4}at namedFunction \(/)
    expect(stack).toMatch(/ arrowFunction\n$/)
    expect(await readFile(join(folder, 'bundle/named.cjs'), 'utf8')).not.toMatch(/aVariable|anotherVariable|aParameter/)
  })

  it('has one byte for each character, whatever they mean', async () => {
    for (const [, code] of bundle.files) expect(code).toMatch(/^\p{ASCII}*$/u)
    expect(JSON.parse(await runBundled('signs.cjs'))).toEqual(['wait…', 'a… 🍺🍺', true])
  })

  it('has what several programs need only once', () => {
    expect(bundle.files.filter(([, code]) => code.includes('of both'))).toHaveLength(1)
  })

  it('names every file that it was made of, and of packages only those that are in it', () => {
    const names = bundle.sources.map((source) => source.slice(folder.length + 1))
    expect(names).toEqual(expect.arrayContaining(['main.ts', 'shared.ts', 'node_modules/express/index.js']))
    expect(names).not.toContain('node_modules/knex/lib/dialects/mysql/index.js')
  })

  it('leaves a package where it is installed, for a bundle that is elsewhere in the work tree', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'app-bundle-'))
    try {
      const entries = { main: join(folder, 'main.ts') }
      const { files } = await bundleApp({ entries, conditions: [], installed: ['pg'] })
      expect(files.map(([, code]) => code).join()).not.toContain('pg-native')
      writeFiles(files.map(([name, code]) => [join(elsewhere, name), code] as const))
      const { stdout } = await run(process.execPath, [join(elsewhere, 'main.cjs')])
      expect(JSON.parse(stdout).works).toContain('not installed')
    } finally {
      await rm(elsewhere, { recursive: true })
    }
  })
})
