import { parseArgs } from 'node:util'
import type { System } from '../define-system.ts'
import { differingFiles, writeOne } from './differing-files.ts'
import { lacksProjectName, writtenFiles } from './written-files.ts'

const USAGE = `usage: pnpm generate [--check]

Writes the parts of deploy/ and README.md that come from system.ts.

  --check  writes nothing: names the files that it would write or remove, and ends with 1 when there are any
  --help   print this
`

/**
 * Writes what comes from a description into the folder of its `system.ts`, and names each changed file by `write` (default: to stdout), as `pnpm generate` does. Sets the
 * exit code when it was to check and something differs.
 */
export async function generate(
  system: System,
  root: string,
  args: readonly string[],
  write: (text: string) => void = (text) => void process.stdout.write(text),
): Promise<void> {
  const { help, check } = parseArgs({
    args: [...args],
    options: { help: { type: 'boolean', short: 'h' }, check: { type: 'boolean' } },
  }).values
  if (help === true) return write(USAGE)
  for (const file of await differingFiles(await writtenFiles(system, root), root)) {
    if (check === true) {
      write(`differs  ${file.path}\n`)
      process.exitCode = 1
      continue
    }
    await writeOne(file, root)
    write(`${file.text === undefined ? 'removed' : 'written'}  ${file.path}\n`)
  }
  if (check !== true && (await lacksProjectName(root))) {
    process.stderr.write(
      'pnpm generate: deploy/.env, which is yours, has no COMPOSE_PROJECT_NAME: Compose calls the project deploy, as that of others\n',
    )
  }
}
