/** `pnpm contract --url URL`: runs the contract suite against a running system. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { reasonOf, visibleLines } from '@taproom/lines'
import { ContractUsageError, readBaseUrl, requireAnswer } from '../src/index.ts'
import type { Target } from '../tests/target.ts'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))
const USAGE = `usage: pnpm contract --url URL [--keys FOLDER] [--issuer ISSUER] [--log FILE] [--sink-idle-ms MS]
  --url           the base URL of the system, such as http://localhost:8080
  --keys          folder of the key pair whose tokens the system accepts (default .taproom/keys)
  --issuer        issuer of those tokens (default: the development issuer's)
  --log           file that the system's log lines go to; without it nobody sees which sink received what,
                  and those tests are reported as skipped
  --sink-idle-ms  the system's SCALE_TO_ZERO_IDLE_MS (default 60000)
  --help          print this
`

function readArguments() {
  const options = {
    url: { type: 'string' },
    keys: { type: 'string', default: '.taproom/keys' },
    issuer: { type: 'string' },
    log: { type: 'string' },
    'sink-idle-ms': { type: 'string', default: '60000' },
    help: { type: 'boolean', short: 'h', default: false },
  } as const
  try {
    return parseArgs({ options }).values
  } catch (error) {
    throw new ContractUsageError(reasonOf(error))
  }
}

function targetOf(values: ReturnType<typeof readArguments>): Target {
  if (values.url === undefined) {
    throw new ContractUsageError(
      '--url is missing: it names the system to test, such as --url http://localhost:8080 of pnpm start',
    )
  }
  const sinkIdleMs = Number(values['sink-idle-ms'])
  if (!Number.isInteger(sinkIdleMs) || sinkIdleMs < 0)
    throw new ContractUsageError(`--sink-idle-ms=${values['sink-idle-ms']}: expected milliseconds`)
  return {
    url: readBaseUrl(values.url),
    keys: resolve(values.keys),
    sinkIdleMs,
    ...(values.issuer !== undefined && { issuer: values.issuer }),
    ...(values.log !== undefined && { log: resolve(values.log) }),
  }
}

async function main(): Promise<void> {
  const values = readArguments()
  if (values.help) {
    process.stdout.write(USAGE)
    return
  }
  const target = targetOf(values)
  await requireAnswer(target.url)
  const vitest = spawn(process.execPath, ['--run', 'test'], {
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
