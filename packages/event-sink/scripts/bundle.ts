/**
 * `node --run bundle` in a sink's folder bundles its sources and their imports into `dist/bundle/main.cjs`, which starts in a third of the
 * time: one file to load instead of 300. What is loaded late is a file of its own.
 *
 * `dist/bundle/inputs.json` lists what the bundle was made from, to be compared before it is run from a work tree. Packages outside the
 * work tree change with the lockfile only.
 */
import { cp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { reasonOf } from '@taproom/lines'
import { rolldown } from 'rolldown'

const FOLDER = 'dist/bundle'
const LOCKFILE = fileURLToPath(new URL('../../../pnpm-lock.yaml', import.meta.url))
/** The health page's files are read when served: they go beside the bundle, under the same name. */
const PAGE = fileURLToPath(new URL('page', import.meta.resolve('@taproom/health')))

/** A running sink may still load late files of an older bundle. */
const KEEP_OLD_MS = 24 * 60 * 60 * 1000

async function main(): Promise<void> {
  const startedAt = Date.now()
  await using bundle = await rolldown({
    input: 'src/main.ts',
    platform: 'node',
    resolve: { conditionNames: ['development'] },
  })
  const { output } = await bundle.generate({
    format: 'cjs',
    // Keeps names: stacks stay readable.
    minify: { compress: true, mangle: false },
    entryFileNames: 'main.cjs',
    chunkFileNames: '[name]-[hash].cjs',
  })
  const pageFiles = await readdir(PAGE)
  const inputs = await inputsOf([...(await bundle.watchFiles), ...pageFiles.map((name) => join(PAGE, name))])
  if (Object.values(inputs).some(({ mtimeMs }) => mtimeMs >= startedAt)) throw new Error('a source changed meanwhile')

  await cp(PAGE, `${FOLDER}/page`, { recursive: true })
  // `inputs.json` comes last: a half-written bundle then counts as outdated.
  const [entry, ...late] = output.flatMap((file) => (file.type === 'chunk' ? [file] : []))
  for (const file of [...late, entry]) if (file !== undefined) await write(file.fileName, file.code)
  await write('inputs.json', JSON.stringify(inputs, undefined, 2))
  await removeOld(new Set([...output.map(({ fileName }) => fileName), 'inputs.json', 'page']))
}

async function inputsOf(files: readonly string[]) {
  const sources = files.filter((file) => !relative('.', file).includes('node_modules/'))
  const manifests = sources.map((file) => findPackageJSON(pathToFileURL(file))).filter((file) => file !== undefined)
  const all = [...new Set([...sources, ...manifests, fileURLToPath(import.meta.url), LOCKFILE])]
  const entries = all.map(async (file) => {
    const { mtimeMs, size } = await stat(file)
    return [relative('.', file), { mtimeMs, size }] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** By renaming: several processes may make the same bundle at a time. */
async function write(name: string, content: string): Promise<void> {
  const draft = `${FOLDER}/${name}.${process.pid}`
  await writeFile(draft, content)
  await rename(draft, `${FOLDER}/${name}`)
}

async function removeOld(current: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(FOLDER)) {
    if (current.has(name)) continue
    const { mtimeMs } = await stat(`${FOLDER}/${name}`)
    if (Date.now() - mtimeMs > KEEP_OLD_MS) await rm(`${FOLDER}/${name}`)
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`not bundled: ${reasonOf(error)}\n`)
  process.exitCode = 1
})
