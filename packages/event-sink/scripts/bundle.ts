/**
 * `node --run bundle` in a sink's folder bundles its sources and their imports into `dist/bundle/main.cjs`, which starts in a third of the
 * time: one file to load instead of 300. What is loaded late is a file of its own.
 *
 * `dist/bundle/inputs.json` lists what the bundle was made from, to be compared before it is run from a work tree. Packages outside the
 * work tree change with the lockfile only.
 */
import { cp, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleApp, NATIVE } from '@taproom/bundles/app'
import { inputsOf, removeOld, writeFiles } from '@taproom/bundles/files'
import { reasonOf } from '@taproom/core/lines'

const FOLDER = 'dist/bundle'
const LOCKFILE = fileURLToPath(new URL('../../../pnpm-lock.yaml', import.meta.url))
const BUNDLER = fileURLToPath(import.meta.resolve('@taproom/bundles/app'))
/** The health page's files are read when served: they go beside the bundle, under the same name. */
const PAGE = fileURLToPath(new URL('page', import.meta.resolve('@taproom/health')))

async function main(): Promise<void> {
  const startedAt = Date.now()
  const { files: code, sources } = await bundleApp({
    entries: { main: 'src/main.ts' },
    conditions: ['development'],
    installed: NATIVE,
  })
  const pageFiles = await readdir(PAGE)
  const read = [...sources, ...pageFiles.map((name) => join(PAGE, name))]
  const others = [fileURLToPath(import.meta.url), BUNDLER, LOCKFILE]
  const inputs = inputsOf(read, { base: resolve('.'), others, startedAt })

  await cp(PAGE, `${FOLDER}/page`, { recursive: true })
  // `inputs.json` comes last: a half-written bundle then counts as outdated.
  const files = [...code, ['inputs.json', JSON.stringify(inputs, undefined, 2)] as const]
  writeFiles(files.map(([name, content]) => [`${FOLDER}/${name}`, content] as const))
  removeOld(FOLDER, new Set([...files.map(([name]) => name), 'page']))
}

main().catch((error: unknown) => {
  process.stderr.write(`not bundled: ${reasonOf(error)}\n`)
  process.exitCode = 1
})
