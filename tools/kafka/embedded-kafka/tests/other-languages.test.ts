import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeBlocks } from './code-blocks.ts'
import { CLASSPATH } from './java-program.ts'

const PAGE = 'docs/other-languages.md'
/** The interpreter that has confluent-kafka. */
const PYTHON = process.env['KAFKA_PYTHON'] ?? 'python3'
const GO_CLIENT = 'github.com/twmb/franz-go/pkg/kgo@v1.22.2'
/** No test downloads modules: they are in Go's cache, or the recipe is left out. */
const GO_ENV = { GOFLAGS: '-mod=mod', GOPROXY: 'off', GOSUMDB: 'off', GOTOOLCHAIN: 'local' }

const folder = await mkdtemp(join(tmpdir(), 'embedded-kafka-recipes-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

function succeeds(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args, { cwd: folder, env: { ...process.env, ...GO_ENV } }).status === 0
}

const isHere = {
  python: succeeds(PYTHON, '-c', 'import confluent_kafka'),
  go: succeeds('go', 'mod', 'init', 'recipe') && succeeds('go', 'get', GO_CLIENT),
  java: CLASSPATH !== '',
}

/** Runs a recipe as it stands on the page; its npx starts the broker of this work tree. */
async function output(language: string, file: string, command: readonly [string, ...string[]]): Promise<string> {
  const [recipe = ''] = codeBlocks(PAGE, language)
  await writeFile(join(folder, file), recipe)
  const [program, ...args] = command
  const path = [folder, process.env['PATH']].join(delimiter)
  const { stdout } = await run(program, args, { cwd: folder, env: { ...process.env, ...GO_ENV, PATH: path } })
  return stdout
}

describe('recipes for other languages', () => {
  beforeAll(async () => {
    const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
    // Takes `--yes` and the name of the package, as npx does.
    const npx = `#!/bin/sh\nshift 2\nexec "${process.execPath}" --conditions=development "${main}" "$@"\n`
    await writeFile(join(folder, 'npx'), npx)
    await chmod(join(folder, 'npx'), 0o755)
  })

  it('are on the page, each with the options that it needs', () => {
    for (const language of ['python', 'go', 'java', 'csharp']) {
      const [recipe, more] = codeBlocks(PAGE, language)
      expect(recipe).toContain('--exit-on-stdin-close')
      expect(more).toBeUndefined()
    }
  })

  it('Python produces and consumes, and ends the broker', { tags: 'python-client', skip: !isHere.python }, async () => {
    expect(await output('python', 'recipe.py', [PYTHON, 'recipe.py'])).toBe('one beer\n')
  })

  it('Go produces and consumes, and ends the broker', { tags: 'go-client', skip: !isHere.go }, async () => {
    expect(await output('go', 'main.go', ['go', 'run', '.'])).toBe('one beer\n')
  })

  it('Java produces and consumes, and ends the broker', { tags: 'java-client' }, async () => {
    const java = process.env['JAVA'] ?? 'java'
    expect(await output('java', 'Recipe.java', [java, '-cp', CLASSPATH, 'Recipe.java'])).toBe('one beer\n')
  })
})
