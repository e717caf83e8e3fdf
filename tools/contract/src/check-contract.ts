import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { reasonOf, visible, visibleLines } from '@taproom/core/lines'
import { MANAGEMENT_PATHS } from '@taproom/http'
import { createDevIssuer } from '@taproom/jwt/testing'
import { NotRunningError, namedIssuer, runningSystem } from '@taproom/start'
import { developmentIssuerOf, type System } from '@taproom/system'
import { readBaseUrl, requireAnswer } from './base-url.ts'
import { type Outcome, outcomeOf } from './check.ts'
import { contractChecks } from './checks.ts'
import { ContractUsageError } from './errors.ts'
import type { Target, TargetToken } from './target.ts'

const USAGE = `usage: pnpm contract [--url URL [--keys FOLDER [--issuer ISSUER]]]
  --url     the base URL of a system that runs elsewhere, such as https://shop.example.com; without it the one of pnpm start
  --keys    folder of the key pair whose tokens that system accepts (private-key.pem); without it no token is sent that is good
  --issuer  issuer of those tokens (default: MP_JWT_VERIFY_ISSUER, else the development issuer of system.ts)
  --help    print this

Events of the type dev.taproom.contract are sent to the broker and to every sink.
`

/**
 * Looks at everything that the running system of a folder promises by being made of these packages, and prints a line for each check, as
 * `taproom contract` does. Sets the exit code: 1 when a promise is broken, 2 when there is no such system.
 */
export async function checkContract(system: System, root: string, args: readonly string[]): Promise<void> {
  try {
    const isKept = await reportContract({ system, root, args, write: (text) => void process.stdout.write(text) })
    if (!isKept) process.exitCode = 1
  } catch (error) {
    const usage = error instanceof ContractUsageError && error.hasUsage ? `\n${USAGE}` : ''
    process.stderr.write(`pnpm contract: ${visibleLines(reasonOf(error))}\n${usage}`)
    process.exitCode = error instanceof ContractUsageError ? 2 : 1
  }
}

interface Report {
  readonly system: System
  /** The folder of its `system.ts`. */
  readonly root: string
  readonly args: readonly string[]
  readonly write: (text: string) => void
}

/**
 * Writes a line for each check.
 *
 * @returns whether no promise is broken
 * @throws {ContractUsageError} when the command line is wrong or names no system
 */
export async function reportContract({ system, root, args, write }: Report): Promise<boolean> {
  const options = readOptions(args)
  if (options.help === true) {
    write(USAGE)
    return true
  }
  const target = options.url === undefined ? await runningHere(system, root) : await runningElsewhere(system, options)
  await requireAnswer(target.url)
  const count = { passed: 0, failed: 0, 'left out': 0 }
  const checks = await contractChecks(target)
  const width = Math.max(...checks.map(({ subject }) => visible(subject).length))
  for (const check of checks) {
    const outcome = await outcomeOf(check)
    count[outcome.state] += 1
    write(line(`${visible(check.subject).padEnd(width)}  ${visible(check.name)}`, outcome))
  }
  const leftOut = count['left out'] > 0 ? `, ${count['left out']} left out` : ''
  write(`${count.passed} passed, ${count.failed} failed${leftOut}\n`)
  return count.failed === 0
}

function line(name: string, outcome: Outcome): string {
  const reason = outcome.state === 'passed' ? '' : `: ${visible(outcome.reason)}`
  return `${outcome.state.padEnd(8)}  ${name}${reason}\n`
}

function readOptions(args: readonly string[]) {
  const string = { type: 'string' } as const
  try {
    const options = { url: string, keys: string, issuer: string, help: { type: 'boolean', short: 'h' } } as const
    const { values } = parseArgs({ args: [...args], options })
    if (values.issuer !== undefined && values.keys === undefined) {
      throw new ContractUsageError('--issuer is for --keys: it is that of the tokens which these keys sign')
    }
    if (values.keys === undefined || values.url !== undefined) return values
  } catch (error) {
    throw error instanceof ContractUsageError ? error : new ContractUsageError(reasonOf(error))
  }
  throw new ContractUsageError('--keys is for --url: the keys of the system of pnpm start are known')
}

async function runningHere(system: System, root: string): Promise<Target> {
  const running = await runningSystem(process.env, { cwd: process.cwd(), root }).catch((error: unknown) => {
    if (!(error instanceof NotRunningError)) throw error
    throw new ContractUsageError(`${error.message}; or name one by --url`, { cause: error, hasUsage: false })
  })
  const { url, healthRootPath, keys, issuers, processes } = running
  const portOf = (name: string) => processes.find((process) => process.name === name)?.port
  const apps = Object.keys(system.apps).map((name) => {
    const port = portOf(name)
    return [name, port === undefined ? undefined : `http://127.0.0.1:${port}`] as const
  })
  const token = keys === undefined ? {} : { token: await tokenWithoutRoles(keys, issuers[0]) }
  return { system, url, healthRootPath, apps: Object.fromEntries(apps), ...token }
}

async function runningElsewhere(
  system: System,
  {
    url = '',
    keys,
    issuer = namedIssuer(process.env) ?? developmentIssuerOf(system),
  }: Partial<Record<'url' | 'keys' | 'issuer', string | undefined>>,
): Promise<Target> {
  if (keys !== undefined && !existsSync(join(keys, 'private-key.pem'))) {
    throw new ContractUsageError(`--keys ${JSON.stringify(keys)}: expected a folder with private-key.pem`)
  }
  const token = keys === undefined ? {} : { token: await tokenWithoutRoles(resolve(keys), issuer) }
  return { system, url: readBaseUrl(url), healthRootPath: MANAGEMENT_PATHS.health, ...token }
}

async function tokenWithoutRoles(folder: string, issuer: string | undefined): Promise<TargetToken> {
  const devIssuer = await createDevIssuer({ folder, ...(issuer !== undefined && { issuer }) })
  return { text: await devIssuer.sign({ groups: [] }), issuer: devIssuer.issuer }
}
