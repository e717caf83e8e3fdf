/** Part of the build: `dist/main.js` with everything from other workspaces, in the syntax of Node 20. `npm create` then fetches one package. */
import { chmod, rm } from 'node:fs/promises'
import { rolldown } from 'rolldown'

const FOLDER = 'dist'

async function main(): Promise<void> {
  await rm(FOLDER, { recursive: true, force: true })
  await using bundle = await rolldown({
    input: { main: 'src/main.ts' },
    platform: 'node',
    transform: { target: 'node20' },
    resolve: { conditionNames: ['development'] },
  })
  const { output } = await bundle.write({ dir: FOLDER, format: 'esm' })
  const imports = output.flatMap((file) => (file.type === 'chunk' ? [...file.imports, ...file.dynamicImports] : []))
  const foreign = imports.filter((name) => !name.startsWith('node:'))
  if (foreign.length > 0) throw new Error(`there are dependencies left: ${foreign.join(', ')}`)
  await chmod(`${FOLDER}/main.js`, 0o755)
}

main().catch((error: unknown) => {
  process.stderr.write(`not bundled: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
