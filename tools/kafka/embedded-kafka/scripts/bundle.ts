/**
 * `node --run bundle` bundles the package's entry points with everything from other workspaces into `dist`, in the syntax of Node 20: what is
 * published has no dependencies.
 */
import { chmod, rm } from 'node:fs/promises'
import { rolldown } from 'rolldown'

const FOLDER = 'dist'

async function main(): Promise<void> {
  await rm(FOLDER, { recursive: true, force: true })
  await using bundle = await rolldown({
    input: { index: 'src/index.ts', main: 'src/main.ts', testcontainers: 'src/testcontainers.ts' },
    platform: 'node',
    transform: { target: 'node20' },
    resolve: { conditionNames: ['development'] },
  })
  const { output } = await bundle.write({ dir: FOLDER, format: 'esm', chunkFileNames: '[name]-[hash].js' })
  const imports = output.flatMap((file) => (file.type === 'chunk' ? [...file.imports, ...file.dynamicImports] : []))
  const own = new Set(output.map(({ fileName }) => fileName))
  const foreign = imports.filter((name) => !name.startsWith('node:') && !own.has(name))
  if (foreign.length > 0) throw new Error(`there are dependencies left: ${foreign.join(', ')}`)
  await chmod(`${FOLDER}/main.js`, 0o755)
}

main().catch((error: unknown) => {
  process.stderr.write(`not bundled: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
