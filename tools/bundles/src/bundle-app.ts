import { basename } from 'node:path'
import type { OutputChunk, Plugin } from 'rolldown'
import { leftWhereTheyAre } from './left-where-they-are.ts'
import { ONE_BYTE } from './one-byte.ts'
import { unusedDialects } from './unused-dialects.ts'

/** Packages with compiled code for one system and processor stay outside of the bundle. */
export const NATIVE = ['better-sqlite3'] as const

export interface AppBundlePlan {
  /** Files to run by the names of their bundles: that of `main` is `main.cjs`. */
  readonly entries: Readonly<Record<string, string>>
  /** What imports of packages are resolved with, besides Node's own. */
  readonly conditions: readonly string[]
  /** Packages that stay as they are, beside the bundle or above it. */
  readonly external?: readonly string[]
  /** Packages that are loaded from where they are installed, by their paths there: for a bundle that runs in the work tree. */
  readonly installed?: readonly string[]
}

export interface AppBundle {
  /** Names and code. Those to run come last: what they load is there before them. */
  readonly files: readonly (readonly [name: string, code: string])[]
  /** Every file that was read. */
  readonly sources: readonly string[]
}

/** What records spans brings OpenTelemetry's API: in one file with it, it is loaded sooner. */
const apiOfTheSdk: Plugin = {
  name: 'api-of-the-sdk',
  resolveDynamicImport: (source) => (source === '@opentelemetry/api' ? { id: source, external: true } : undefined),
}

/** `import.meta.url` becomes the module's own name in the folder of the bundle, as if it had been compiled to there. */
const besideTheBundle: Plugin = {
  name: 'beside-the-bundle',
  transform: {
    filter: { id: { exclude: /[\\/]node_modules[\\/]/ }, code: /\bimport\.meta\.url\b/ },
    handler(code, id) {
      const name = JSON.stringify(basename(id).replace(/\.[jt]s$/, '.cjs'))
      const url = `require('node:url').pathToFileURL(require('node:path').join(__dirname, ${name})).href`
      return { code: code.replaceAll(/\bimport\.meta\.url\b/g, url) }
    },
  },
}

/**
 * The first process of a container ignores signals without a handler (pid_namespaces(7)), and modules take a while to load: until the program
 * has a handler of its own, these signals end it as they end any other process.
 */
const EARLY_SIGNALS = `for (const [name, code] of [['SIGTERM', 143], ['SIGINT', 130]])
  process.on(name, () => process.listenerCount(name) > 1 || process.exit(code))`

/** Functions and classes keep their names, for stacks, logs and errors; variables and parameters do not. */
const NAMED = { function: true, class: true }
const MINIFY = { compress: { keepNames: NAMED }, mangle: { keepNames: NAMED } }

/**
 * Bundles the programs of one app for where it is deployed: small, and with what is loaded late in files of its own. Names are kept, for
 * stacks. The same files give the same bundle.
 *
 * @throws {Error} when they cannot be bundled
 */
export async function bundleApp({
  entries,
  conditions,
  external = [],
  installed = [],
}: AppBundlePlan): Promise<AppBundle> {
  const { rolldown } = await import('rolldown')
  await using bundle = await rolldown({
    input: entries,
    platform: 'node',
    external: [...external],
    resolve: { conditionNames: [...conditions] },
    plugins: [leftWhereTheyAre(installed), unusedDialects, apiOfTheSdk, besideTheBundle],
    // A package that cannot be found is often one that another tries to load and can do without; any other finds out when it is started.
    onLog: () => {},
  })
  const { output } = await bundle.generate({
    format: 'cjs',
    minify: MINIFY,
    ...ONE_BYTE,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    intro: ({ isEntry }) => (isEntry ? EARLY_SIGNALS : ''),
  })
  const chunks = output.filter((file): file is OutputChunk => file.type === 'chunk')
  const files = chunks
    .toSorted((a, b) => Number(a.isEntry) - Number(b.isEntry))
    .map(({ fileName, code }) => [fileName, code] as const)
  return { files, sources: await bundle.watchFiles }
}
