import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'
import { codeBlocks } from './code-blocks.ts'

/** The interpreter that has confluent-kafka. */
export const PYTHON = process.env['KAFKA_PYTHON'] ?? 'python3'
const GO_CLIENT = 'github.com/twmb/franz-go/pkg/kgo@v1.22.2'
export const GO_REGISTRY = 'github.com/twmb/franz-go/pkg/sr@v1.8.0'
/** No test downloads modules: they are in Go's cache, or the recipe is left out. */
const GO_ENV = { GOFLAGS: '-mod=mod', GOPROXY: 'off', GOSUMDB: 'off', GOTOOLCHAIN: 'local' }

/** A folder in which recipes of a page run as they stand there; their npx starts the broker of this work tree. */
export interface RecipeRunner extends AsyncDisposable {
  readonly hasPython: boolean
  readonly hasGo: boolean
  /** Writes the first block of a language to a file and runs the command. */
  run(
    language: string,
    file: string,
    command: readonly [string, ...string[]],
  ): Promise<{ stdout: string; stderr: string }>
}

/** Needs of a page's recipes besides the usual clients. */
interface RecipeNeeds {
  readonly pythonModule?: string
  readonly goModules?: readonly string[]
}

export async function recipeRunner(page: string, needs: RecipeNeeds = {}): Promise<RecipeRunner> {
  const { pythonModule = 'confluent_kafka', goModules = [] } = needs
  const folder = await mkdtemp(join(tmpdir(), 'embedded-kafka-recipes-'))
  const main = fileURLToPath(new URL('../../standalone/src/main.ts', import.meta.url))
  // Takes its own options and the name of the package or command, as npx does.
  const npx = `#!/bin/sh\nwhile [ "$1" != --port ]; do shift; done\nexec "${process.execPath}" --conditions=development "${main}" "$@"\n`
  await writeFile(join(folder, 'npx'), npx)
  await chmod(join(folder, 'npx'), 0o755)
  const env = { ...process.env, ...GO_ENV, PATH: [folder, process.env['PATH']].join(delimiter) }
  const succeeds = (command: string, ...args: readonly string[]): boolean =>
    spawnSync(command, args, { cwd: folder, env }).status === 0
  return {
    hasPython: succeeds(PYTHON, '-c', `import ${pythonModule}`),
    hasGo: succeeds('go', 'mod', 'init', 'recipe') && succeeds('go', 'get', GO_CLIENT, ...goModules),
    async run(language, file, [program, ...args]) {
      const [recipe = ''] = codeBlocks(page, language)
      await writeFile(join(folder, file), recipe)
      return await run(program, args, { cwd: folder, env })
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
