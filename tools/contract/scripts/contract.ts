/** `pnpm contract --url URL`: runs the contract suite against a running system. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { reasonOf, visibleLines } from '@taproom/core/lines'
import { requireAnswer } from '../src/base-url.ts'
import { ContractUsageError } from '../src/errors.ts'
import { readArguments, USAGE } from './read-arguments.ts'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))

async function main(): Promise<void> {
  const target = readArguments(process.argv.slice(2))
  if (target === undefined) {
    process.stdout.write(USAGE)
    return
  }
  await requireAnswer(target.url)
  const vitest = spawn(process.execPath, ['--run', 'test:system'], {
    cwd: PACKAGE,
    env: { ...process.env, CONTRACT_TARGET: JSON.stringify(target) },
    stdio: 'inherit',
  })
  const [code] = await once(vitest, 'exit')
  process.exitCode = code ?? 1
}

main().catch((error: unknown) => {
  const isUsage = error instanceof ContractUsageError
  process.stderr.write(`${visibleLines(reasonOf(error))}\n${isUsage && error.hasUsage ? `\n${USAGE}` : ''}`)
  process.exitCode = isUsage ? 2 : 1
})
