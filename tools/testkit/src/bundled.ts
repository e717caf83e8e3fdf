import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundleApp, NATIVE } from '@taproom/bundles/app'
import { removeOld, writeFiles } from '@taproom/bundles/files'

/** Programs, and what they start in a thread. */
const PROGRAM = /^(?:main|.+-main|.+-worker)\.ts$/

/**
 * Bundles the programs of an app as its image has them, and gives the bundle of `main` (a file URL): a process test of an app runs what is
 * deployed. It takes a second of CPU time.
 */
export async function bundled(main: URL): Promise<URL> {
  const sources = fileURLToPath(new URL('.', main))
  const programs = (await readdir(sources, { recursive: true })).filter((path) => PROGRAM.test(basename(path)))
  const entries = Object.fromEntries(programs.map((path) => [basename(path, '.ts'), join(sources, path)]))
  const { files } = await bundleApp({ entries, conditions: ['development'], external: NATIVE })
  // Below the app, where a bundle finds its native packages.
  const folder = join(sources, '../node_modules/.cache/taproom-bundled')
  writeFiles(files.map(([name, code]) => [join(folder, name), code] as const))
  removeOld(folder, new Set(files.map(([name]) => name)))
  return pathToFileURL(join(folder, basename(fileURLToPath(main), '.ts').concat('.cjs')))
}
