import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/**
 * Writes the command as one file that imports nothing but Node's own modules.
 * @throws {Error} when something else is left to be imported
 */
export async function bundleCommand(file: string, format: 'esm' | 'cjs'): Promise<void> {
  await using bundle = await rolldown({
    input: fileURLToPath(new URL('main.ts', import.meta.url)),
    platform: 'node',
    transform: { target: 'node24' },
    resolve: { conditionNames: ['development'] },
  })
  const { output } = await bundle.write({ file, format, codeSplitting: false })
  const foreign = output.flatMap((chunk) =>
    chunk.type === 'chunk'
      ? [...chunk.imports, ...chunk.dynamicImports].filter((name) => !name.startsWith('node:'))
      : [],
  )
  if (foreign.length > 0) throw new Error(`there are dependencies left: ${foreign.join(', ')}`)
}
