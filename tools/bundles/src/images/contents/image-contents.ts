import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { bundleApp, NATIVE } from '../../bundle-app.ts'
import { writeFiles } from '../../bundle-files.ts'
import { licensesOf } from './licenses-of.ts'
import { withoutSymbols } from './without-symbols.ts'

/** An app of an image, and its folder in the work tree, where it is compiled. */
export interface AppPlace {
  readonly name: string
  readonly folder: string
}

const ADDON = `prebuilds/${process.platform}-${process.arch}.node`
/** Which files of native packages are loaded here. */
const LOADED: Readonly<Record<(typeof NATIVE)[number], readonly string[]>> = {
  'better-sqlite3': ['package.json', 'lib', ADDON, 'LICENSE'],
}
/** Modules that read what is in a folder beside them. */
const FOLDERS: Readonly<Record<string, string>> = { 'health-page.js': 'page' }
/** Programs, and what they start in a thread. */
const ENTRY = /^(?:main|.+-main|.+-worker)\.js$/
const BUNDLE = 'bundle'

/**
 * Writes what an image holds of its compiled apps: one bundle of all their programs, what these read at run time, packages with native
 * code, and the licences of all packages in it. A program is found by its name: the first app's is `main`, an app's by that of the app and
 * as `apps/{app}/dist/bundle/main.cjs`, a further one by its own.
 *
 * @throws {Error} when two programs have one name
 */
export async function writeImageContents(apps: readonly AppPlace[], folder: string): Promise<void> {
  const entries: Record<string, string> = {}
  for (const app of apps) {
    for (const path of await readdir(join(app.folder, 'dist'), { recursive: true })) {
      const name = basename(path, '.js')
      if (!ENTRY.test(basename(path)) || dirname(path).includes(BUNDLE)) continue
      const entry = name === 'main' ? `${app.name}-main` : name
      if (entries[entry] !== undefined) throw new Error(`an image would have two programs ${entry}`)
      entries[entry] = join(app.folder, 'dist', path)
    }
  }
  const { files, sources } = await bundleApp({ entries, conditions: [], external: NATIVE })
  const bundle = join(folder, BUNDLE)
  const licenses = ['licenses.txt', await licensesOf(sources)] as const
  writeFiles([...files, licenses].map(([name, content]) => [join(bundle, name), content] as const))
  await copyFolders(sources, bundle)
  const code = files.map(([, text]) => text).join()
  for (const [name, parts] of Object.entries(LOADED)) {
    const from = apps.map((app) => join(app.folder, 'node_modules', name)).find((path) => existsSync(path))
    if (code.includes(name) && from !== undefined) await copyPackage(from, parts, join(bundle, 'node_modules', name))
  }
  await linkPrograms(Object.keys(entries), apps, folder)
}

/** What modules read beside themselves, beside the bundle. */
async function copyFolders(sources: readonly string[], bundle: string): Promise<void> {
  for (const source of sources) {
    const beside = FOLDERS[basename(source)]
    if (beside === undefined) continue
    const filter = (name: string) => basename(name) !== 'tsconfig.json'
    await cp(join(dirname(source), beside), join(bundle, beside), { recursive: true, filter })
  }
}

async function copyPackage(from: string, parts: readonly string[], to: string): Promise<void> {
  for (const part of parts) await cp(join(from, part), join(to, part), { recursive: true, dereference: true })
  if (process.platform !== 'linux') return
  const addon = join(to, ADDON)
  await writeFile(addon, withoutSymbols(await readFile(addon)))
}

async function linkPrograms(entries: readonly string[], apps: readonly AppPlace[], folder: string): Promise<void> {
  const link = async (path: string, program: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    const up = path
      .split('/')
      .slice(1)
      .map(() => '../')
    await symlink(`${up.join('')}${BUNDLE}/${program}.cjs`, join(folder, path))
  }
  const programs = entries.filter((name) => name.endsWith('-main'))
  for (const program of programs) await link(program.slice(0, -'-main'.length), program)
  const mains = apps.map(({ name }) => ({ name, program: `${name}-main` }))
  const own = mains.filter(({ program }) => programs.includes(program))
  for (const { name, program } of own) await link(`apps/${name}/dist/${BUNDLE}/main.cjs`, program)
  const [first] = own
  if (first !== undefined) await link('main', first.program)
}
