import { readFile } from 'node:fs/promises'
import type { Plugin } from 'rolldown'

/** Fails where somebody needs after all what was left out, and says what that is. */
const fails = (what: string) => `throw new Error(${JSON.stringify(`${what} is not in the bundle of a service`)})`

/** A service reads its bodies itself, within limits of its own. These bring tables of all character sets. */
const BODY_PARSERS = ['json', 'raw', 'text', 'urlencoded']
/** `@taproom/database` knows SQLite and PostgreSQL. */
const DIALECTS = 'cockroachdb mariadb mssql mysql mysql2 oracle oracledb pgnative redshift'.split(' ')

type Modules = Readonly<Record<string, string>>

/** What stands for a module that no program runs, by its package and its file there. */
const NEVER_RUN: Modules = {
  // qs keeps notes on objects in it; it is older than the language's own way.
  'side-channel/index.js': 'module.exports = () => new WeakMap()',
}

/** What stands for those that the services here do not run, but others might. */
const NOT_RUN_HERE: Modules = {
  'body-parser/index.js': BODY_PARSERS.map((name) => `exports.${name} = () => { ${fails(`express.${name}`)} };`).join(
    '',
  ),
  ...Object.fromEntries(
    DIALECTS.map((name) => [`knex/lib/dialects/${name}/index.js`, fails(`knex's dialect ${name}`)]),
  ),
  // Migrations are part of the program: they are not looked for in folders, nor written.
  'knex/lib/migrations/migrate/sources/fs-migrations.js': `exports.FsMigrations = class { getMigrations() { ${fails("knex's FsMigrations")} } }`,
  'knex/lib/migrations/migrate/MigrationGenerator.js': `module.exports = class { make() { ${fails("knex's MigrationGenerator")} } }`,
  'knex/lib/migrations/seed/Seeder.js': `module.exports = class { constructor() { ${fails("knex's Seeder")} } }`,
  'pg/lib/native/index.js': fails("pg's native client"),
}

/**
 * What pino loads for logs that are written in a worker thread, and for checks of itself. A service writes its lines itself, and starts two
 * milliseconds sooner without.
 */
const LOGGER: Readonly<Record<string, string>> = {
  './transport': `module.exports = () => { ${fails("pino's transport")} }`,
  './lib/transport': `module.exports = () => { ${fails("pino's transport")} }`,
  assert: 'module.exports = (holds, message) => { if (!holds) throw new Error(message) }',
  worker_threads: 'module.exports = { isMainThread: true }',
}

/** What stands for imports, by the package that imports. */
const IMPORTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pino: LOGGER,
  'sonic-boom': LOGGER,
  // For exemplars of its own metrics, which nobody asks for.
  'prom-client': { '@opentelemetry/api': 'module.exports = {}' },
}

const PREFIX = '\0left-out:'
const IN_PACKAGE = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/](.+)$/

/** The package of a file, and the file's place in it. */
function placeOf(id: string): { readonly name: string; readonly path: string } {
  const [, name = '', path = ''] = IN_PACKAGE.exec(id)?.map((part) => part.replaceAll('\\', '/')) ?? []
  return { name, path }
}

/** Media types without what nobody looks up: those that no file name leads to, and that have no character set of their own. */
function mediaTypes(json: string): string {
  const all: Readonly<Record<string, Readonly<Record<string, unknown>>>> = JSON.parse(json)
  const known = Object.entries(all).flatMap(([type, { source, charset, extensions }]) =>
    charset === undefined && extensions === undefined ? [] : [[type, { source, charset, extensions }] as const],
  )
  // As a text it is read sooner than as code, and takes less room among what is compiled beforehand.
  return `module.exports = JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(known)))})`
}

/** Leaves out of packages what no program runs. */
export const leftOut = without(NEVER_RUN)

/** Also what a deployed service never runs. Whatever needs it all the same throws, with its name. */
export const leftOutOfImages = without({ ...NEVER_RUN, ...NOT_RUN_HERE })

function without(modules: Modules): Plugin {
  return {
    name: 'left-out',
    async resolveId(source, importer, options) {
      const { name } = placeOf(importer ?? '')
      const instead = IMPORTS[name]
      if (instead !== undefined && Object.hasOwn(instead, source)) return `${PREFIX}${name}:${source}`
      if (source !== 'yaml') return undefined
      // Its build for browsers are modules, of which only what is imported is taken.
      const found = await this.resolve(source, importer, { ...options, skipSelf: true })
      const modules = found?.id.replace(/dist([\\/]index\.js)$/, 'browser$1')
      return modules === undefined ? undefined : { id: modules, moduleSideEffects: false }
    },
    async load(id) {
      if (id.startsWith(PREFIX)) {
        const [name = '', source = ''] = id.slice(PREFIX.length).split(':')
        return { code: IMPORTS[name]?.[source] ?? '', moduleType: 'js' }
      }
      const { name, path } = placeOf(id)
      if (name === 'mime-db' && path === 'db.json') {
        this.addWatchFile(id)
        return { code: mediaTypes(await readFile(id, 'utf8')), moduleType: 'js' }
      }
      const code = modules[`${name}/${path}`]
      return code === undefined ? undefined : { code, moduleType: 'js' }
    },
  }
}
