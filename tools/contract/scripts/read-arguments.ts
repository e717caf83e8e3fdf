import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { reasonOf } from '@taproom/core/lines'
import { readBaseUrl } from '../src/base-url.ts'
import { ContractUsageError } from '../src/errors.ts'
import type { Target } from '../tests/target.ts'

export const USAGE = `usage: pnpm contract --url URL [--keys FOLDER] [--issuer ISSUER] [--log FILE] [--sink-idle-ms MS]
  --url           the base URL of the system, such as http://localhost:8080
  --keys          folder of the key pair whose tokens the system accepts (default .taproom/keys)
  --issuer        issuer of those tokens (default: the development issuer's)
  --log           file that the system's log lines go to; without it nobody sees which sink received what,
                  and those tests are reported as skipped
  --sink-idle-ms  the system's SCALE_TO_ZERO_IDLE_MS (default 60000)
  --help          print this
`

/**
 * The system that the command line names; undefined when it asks for the usage.
 *
 * @throws {ContractUsageError} when an option is unknown, wrong or missing
 */
export function readArguments(args: readonly string[]): Target | undefined {
  const values = parse(args)
  if (values.help) return undefined
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

function parse(args: readonly string[]) {
  const options = {
    url: { type: 'string' },
    keys: { type: 'string', default: '.taproom/keys' },
    issuer: { type: 'string' },
    log: { type: 'string' },
    'sink-idle-ms': { type: 'string', default: '60000' },
    help: { type: 'boolean', short: 'h', default: false },
  } as const
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new ContractUsageError(reasonOf(error))
  }
}
