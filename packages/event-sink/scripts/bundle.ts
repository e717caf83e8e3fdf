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
import { inputsOf, removeOld, writeFiles } from '@taproom/bundles/files'
import { reasonOf } from '@taproom/lines'
import { type Plugin, rolldown } from 'rolldown'

const FOLDER = 'dist/bundle'
const LOCKFILE = fileURLToPath(new URL('../../../pnpm-lock.yaml', import.meta.url))
/** The health page's files are read when served: they go beside the bundle, under the same name. */
const PAGE = fileURLToPath(new URL('page', import.meta.resolve('@taproom/health')))

/**
 * What pino loads for logs that are written in a worker thread, and for checks of itself. A sink writes its lines itself, and starts two
 * milliseconds sooner without.
 */
const NO_TRANSPORT = 'module.exports = () => { throw new Error("a sink writes its log itself") }'
const LESS: Readonly<Record<string, string>> = {
  './transport': NO_TRANSPORT,
  './lib/transport': NO_TRANSPORT,
  assert: 'module.exports = (holds, message) => { if (!holds) throw new Error(message) }',
  worker_threads: 'module.exports = { isMainThread: true }',
}
const LOGGER = /[\\/]node_modules[\\/](?:pino|sonic-boom)[\\/](?!node_modules)/

const lessOfTheLogger: Plugin = {
  name: 'less-of-the-logger',
  resolveId: (source, importer) =>
    importer !== undefined && LOGGER.test(importer) && Object.hasOwn(LESS, source) ? `\0less:${source}` : undefined,
  load: (id) => {
    const code = id.startsWith('\0less:') ? LESS[id.slice('\0less:'.length)] : undefined
    return code === undefined ? undefined : { code, moduleType: 'js' }
  },
}

/** What records spans brings OpenTelemetry's API: in one file with it, it is loaded sooner. */
const apiOfTheSdk: Plugin = {
  name: 'api-of-the-sdk',
  resolveDynamicImport: (source) => (source === '@opentelemetry/api' ? { id: source, external: true } : undefined),
}

async function main(): Promise<void> {
  const startedAt = Date.now()
  await using bundle = await rolldown({
    input: 'src/main.ts',
    platform: 'node',
    resolve: { conditionNames: ['development'] },
    plugins: [lessOfTheLogger, apiOfTheSdk],
  })
  const { output } = await bundle.generate({
    format: 'cjs',
    // Keeps names: stacks stay readable.
    minify: { compress: true, mangle: false },
    entryFileNames: 'main.cjs',
    chunkFileNames: '[name]-[hash].cjs',
  })
  const pageFiles = await readdir(PAGE)
  const sources = [...(await bundle.watchFiles), ...pageFiles.map((name) => join(PAGE, name))]
  const others = [fileURLToPath(import.meta.url), LOCKFILE]
  const inputs = await inputsOf(sources, { base: resolve('.'), others, startedAt })

  await cp(PAGE, `${FOLDER}/page`, { recursive: true })
  // `inputs.json` comes last: a half-written bundle then counts as outdated.
  const [entry, ...late] = output.flatMap((file) =>
    file.type === 'chunk' ? [[file.fileName, file.code] as const] : [],
  )
  const record = ['inputs.json', JSON.stringify(inputs, undefined, 2)] as const
  const files = [...late, ...(entry === undefined ? [] : [entry]), record]
  await writeFiles(files.map(([name, content]) => [`${FOLDER}/${name}`, content] as const))
  await removeOld(FOLDER, new Set([...files.map(([name]) => name), 'page']))
}

main().catch((error: unknown) => {
  process.stderr.write(`not bundled: ${reasonOf(error)}\n`)
  process.exitCode = 1
})
