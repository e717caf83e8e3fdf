import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AppBundle, bundleApp } from '../src/bundle-app.ts'
import { writeFiles } from '../src/bundle-files.ts'

const HUGE = 'a table of all character sets'
/** Packages by the files that bundles have something else for. */
const PACKAGES: Readonly<Record<string, string>> = {
  'body-parser/index.js': `exports.json = () => '${HUGE}'`,
  'knex/index.js': `
exports.dialects = { pg: () => require('./lib/dialects/postgres'), mysql: () => require('./lib/dialects/mysql') }
exports.FsMigrations = require('./lib/migrations/migrate/sources/fs-migrations.js').FsMigrations`,
  'knex/lib/dialects/postgres/index.js': "exports.name = 'pg'",
  'knex/lib/dialects/mysql/index.js': `exports.name = '${HUGE}'`,
  'knex/lib/migrations/migrate/sources/fs-migrations.js': `exports.FsMigrations = class { name = '${HUGE}' }`,
  'mime-db/index.js': "module.exports = require('./db.json')",
  'mime-db/db.json': JSON.stringify({
    'text/html': { source: 'iana', compressible: true, extensions: ['html', 'htm'] },
    'application/json': { source: 'iana', charset: 'UTF-8', compressible: true },
    'application/vnd.never-looked-up': { source: 'iana' },
  }),
  'side-channel/index.js': `module.exports = () => '${HUGE}'`,
  'yaml/dist/index.js': `exports.stringify = () => '${HUGE}'`,
  'yaml/browser/index.js': `export const stringify = (value) => JSON.stringify(value); export const parse = () => '${HUGE}'`,
  'yaml/package.json': '{"name":"yaml","main":"dist/index.js"}',
  'pino/index.js': "exports.transport = require('./lib/transport')",
  'pino/lib/transport.js': `module.exports = () => '${HUGE}'`,
}
const SOURCES: Readonly<Record<string, string>> = {
  'main.ts': `
import parsers from 'body-parser'
import knex from 'knex'
import types from 'mime-db'
import pino from 'pino'
import channel from 'side-channel'
import { stringify } from 'yaml'
import { reasonOf, shared } from './shared.ts'
const notes = channel()
const key = {}
notes.set(key, 'noted')
const failures = [
  () => parsers.json(),
  () => knex.dialects.mysql(),
  () => new knex.FsMigrations().getMigrations(),
  () => pino.transport(),
].map(reasonOf)
const works = [knex.dialects.pg().name, notes.get(key), stringify(['a']), shared()]
console.log(JSON.stringify({ failures, works, types }))
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
  const entries = { main: join(folder, 'main.ts'), named: join(folder, 'named.ts'), signs: join(folder, 'signs.ts') }
  bundle = await bundleApp({ entries, conditions: [] })
  writeFiles(bundle.files.map(([name, code]) => [join(folder, 'bundle', name), code] as const))
})
afterAll(() => rm(folder, { recursive: true }))

async function run(name: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'bundle', name)])
  return stdout
}

describe('the bundle of an app', () => {
  it('is without what services never run, and says so where it is needed after all', async () => {
    expect(bundle.files.map(([, code]) => code).join()).not.toContain(HUGE)
    const { failures, works } = JSON.parse(await run('main.cjs'))
    expect(failures).toEqual([
      'express.json is not in the bundle of a service',
      "knex's dialect mysql is not in the bundle of a service",
      "knex's FsMigrations is not in the bundle of a service",
      "pino's transport is not in the bundle of a service",
    ])
    expect(works).toEqual(['pg', 'noted', '["a"]', 'of both'])
  })

  it('knows the media types of files, and of those with a character set', async () => {
    expect(JSON.parse(await run('main.cjs')).types).toEqual({
      'text/html': { source: 'iana', extensions: ['html', 'htm'] },
      'application/json': { source: 'iana', charset: 'UTF-8' },
    })
  })

  it('names functions and classes as the sources do, and nothing else', async () => {
    const stack = await run('named.cjs')
    expect(stack).toMatch(/^ServiceError: of both\n {4}at arrowFunction \(.*\n {4}at namedFunction \(/)
    expect(stack).toMatch(/ arrowFunction\n$/)
    expect(await readFile(join(folder, 'bundle/named.cjs'), 'utf8')).not.toMatch(/aVariable|anotherVariable|aParameter/)
  })

  it('has one byte for each character, whatever they mean', async () => {
    for (const [, code] of bundle.files) expect(code).toMatch(/^\p{ASCII}*$/u)
    expect(JSON.parse(await run('signs.cjs'))).toEqual(['wait…', 'a… 🍺🍺', true])
  })

  it('has what several programs need only once', () => {
    expect(bundle.files.filter(([, code]) => code.includes('of both'))).toHaveLength(1)
  })

  it('names every file that it was made of, and of packages only those that are in it', () => {
    const names = bundle.sources.map((source) => source.slice(folder.length + 1))
    expect(names).toEqual(expect.arrayContaining(['main.ts', 'shared.ts', 'node_modules/mime-db/db.json']))
    expect(names).not.toContain('node_modules/body-parser/index.js')
  })
})
