/** `pnpm contract --url URL`: runs the contract suite against a system that is already there. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Target } from '../tests/target.ts'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))
const USAGE = `usage: pnpm contract --url URL [--keys FOLDER] [--issuer ISSUER] [--log FILE] [--sink-idle-ms MS]
  --url           the base URL of the system, such as http://localhost:8080
  --keys          folder of the key pair whose tokens the system accepts (default .taproom/keys)
  --issuer        issuer of those tokens (default: the development issuer's)
  --log           file that the system's log lines go to; without it nobody sees which sink received what,
                  and those tests are reported as skipped
  --sink-idle-ms  the system's SCALE_TO_ZERO_IDLE_MS (default 60000)
`

function readTarget(): Target {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      keys: { type: 'string', default: '.taproom/keys' },
      issuer: { type: 'string' },
      log: { type: 'string' },
      'sink-idle-ms': { type: 'string', default: '60000' },
    },
  })
  if (values.url === undefined || !URL.canParse(values.url))
    throw new Error(`--url=${values.url ?? ''}: expected an absolute URL`)
  const sinkIdleMs = Number(values['sink-idle-ms'])
  if (!Number.isInteger(sinkIdleMs) || sinkIdleMs < 0)
    throw new Error(`--sink-idle-ms=${values['sink-idle-ms']}: expected milliseconds`)
  return {
    url: values.url.replace(/\/+$/, ''),
    keys: resolve(values.keys),
    sinkIdleMs,
    ...(values.issuer !== undefined && { issuer: values.issuer }),
    ...(values.log !== undefined && { log: resolve(values.log) }),
  }
}

async function main(): Promise<void> {
  const vitest = spawn('vitest', ['run', '--root', '.', '--config', '../../vitest.config.ts'], {
    cwd: PACKAGE,
    env: { ...process.env, CONTRACT_TARGET: JSON.stringify(readTarget()) },
    stdio: 'inherit',
  })
  const [code] = await once(vitest, 'exit')
  process.exitCode = code ?? 1
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
  process.exitCode = 1
})
