import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OutputChunk, Plugin } from 'rolldown'
import { inputsOf, removeOld, writeFiles } from './bundle-files.ts'
import { COMPILED_CODE } from './compiled-code.ts'
import { leftWhereTheyAre } from './left-where-they-are.ts'
import { ONE_BYTE } from './one-byte.ts'

export interface BundlesPlan {
  /** The folder of the work tree, with its lockfile. */
  readonly root: string
  /** Gets `{program}/main.cjs` and `{program}/inputs.json`, whose paths are relative to the root, and `shared`. */
  readonly folder: string
  /** Main files by the programs' names. */
  readonly programs: Readonly<Record<string, string>>
  /** Packages that are loaded from where they are: those with native code. */
  readonly external: readonly string[]
}

const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
/** What several programs need. */
const SHARED = 'shared'
/** Of which a bundle is what they make of the sources. */
const OWN_FILES = ['make-bundles', 'one-byte'].map((name) => {
  return fileURLToPath(new URL(`./${name}.${EXTENSION}`, import.meta.url))
})
const LOCKFILES = ['pnpm-lock.yaml', 'package-lock.json', 'yarn.lock']

/**
 * Makes a bundle of each program in one pass, so that what several need is read once. Names are kept and maps of the sources are written
 * beside, for stacks. Files that a module finds beside itself are found where its source is.
 *
 * @throws {Error} when sources cannot be bundled, or change meanwhile
 */
export async function makeBundles(plan: BundlesPlan): Promise<void> {
  const { rolldown } = await import('rolldown')
  const { root, folder, programs, external } = plan
  const startedAt = Date.now()
  await using bundle = await rolldown({
    cwd: root,
    input: programs,
    platform: 'node',
    resolve: { conditionNames: ['development'] },
    plugins: [atTheirSources(folder), leftWhereTheyAre(external)],
    // A package that cannot be found is often one that another tries to load and can do without; any other finds out when it is started.
    onLog: () => {},
  })
  const { output } = await bundle.generate({
    dir: folder,
    format: 'cjs',
    sourcemap: true,
    ...ONE_BYTE,
    entryFileNames: '[name]/main.cjs',
    chunkFileNames: `${SHARED}/[name]-[hash].cjs`,
  })
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])))
  const lockfiles = LOCKFILES.map((name) => join(root, name)).filter((file) => existsSync(file))
  const others = [...lockfiles, ...OWN_FILES]
  const inputs = Object.keys(programs).map((name) => {
    const files = modulesOf(chunks, `${name}/main.cjs`)
    return [name, inputsOf(files, { base: root, others, startedAt })] as const
  })
  const written = output.map(
    (file) => [file.fileName, file.type === 'chunk' ? file.code : String(file.source)] as const,
  )
  const [entries, shared] = partition(written, ([name]) => !name.startsWith(`${SHARED}/`))
  // The records come last: a half-written bundle then counts as outdated.
  const record = inputs.map(([name, of]) => [`${name}/inputs.json`, JSON.stringify(of, undefined, 2)] as const)
  writeFiles([...shared, ...entries, ...record].map(([name, content]) => [join(folder, name), content]))
  removeOld(join(folder, SHARED), new Set(shared.map(([name]) => relative(SHARED, name))))
  removeOldCompiled(join(root, COMPILED_CODE))
}

/** Node keeps what it compiled of every file there ever was. What is still in use it compiles again, once. */
function removeOldCompiled(folder: string): void {
  if (!existsSync(folder)) return
  // One folder for each version of Node.
  for (const version of readdirSync(folder)) removeOld(join(folder, version), new Set())
}

/** The modules of a chunk and of all that it leads to, also later. */
function modulesOf(chunks: ReadonlyMap<string, OutputChunk>, entry: string): ReadonlySet<string> {
  const modules = new Set<string>()
  const names = new Set([entry])
  for (const name of names) {
    const { moduleIds = [], imports = [], dynamicImports = [] } = chunks.get(name) ?? {}
    for (const id of moduleIds) if (existsSync(id)) modules.add(id)
    for (const next of [...imports, ...dynamicImports]) names.add(next)
  }
  return modules
}

/** `import.meta.url` stays the address of the source, from wherever the bundle is. */
function atTheirSources(folder: string): Plugin {
  return {
    name: 'at-their-sources',
    transform: {
      filter: { id: { exclude: /[\\/]node_modules[\\/]/ }, code: /\bimport\.meta\.url\b/ },
      handler(code, id) {
        const path = JSON.stringify(relative(join(folder, SHARED), id))
        // Every file of the bundle is in a folder of its own, beside the others.
        const url = `require('node:url').pathToFileURL(require('node:path').resolve(__dirname, ${path})).href`
        return { code: code.replaceAll(/\bimport\.meta\.url\b/g, url) }
      },
    },
  }
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}
