import { existsSync } from 'node:fs'
import { reasonOf, visible, visibleLines } from '@taproom/core/lines'
import { createDevIssuer } from '@taproom/jwt/testing'
import { parseEnv, runMode } from '@taproom/service'
import { developmentIssuerOf, type System } from '@taproom/system'
import { type Folders, namedIssuer } from '../config.ts'
import type { SystemFacts } from '../control/control-answers.ts'
import { NotRunningError } from '../control/control-client.ts'
import { createStateFolder, stateFolder } from '../state/state-folder.ts'
import { runningSystem, stateDirOf } from './running-system.ts'
import { readTokenClaims, readTokenOptions, TOKEN_USAGE, TokenUsageError } from './token-claims.ts'

/** The system that is to accept a token. */
export interface TokenPlace {
  /** Its folder. */
  readonly root: string
  readonly system?: System
}

/**
 * Prints a token that the running system accepts, and nothing else, as `pnpm run token` does. Sets the exit code when it cannot. Without a
 * `system` tokens are of the issuer that `MP_JWT_VERIFY_ISSUER` names, or of the default one.
 */
export async function printToken(args: readonly string[], of: TokenPlace): Promise<void> {
  try {
    await print(args, of)
  } catch (error) {
    process.stderr.write(`pnpm run token: ${visibleLines(reasonOf(error))}\n`)
    process.exitCode = error instanceof TokenUsageError ? 2 : 1
  }
}

async function print(args: readonly string[], { root, system }: TokenPlace): Promise<void> {
  const options = readTokenOptions(args)
  if (options.help === true) {
    process.stdout.write(TOKEN_USAGE)
    return
  }
  if (parseEnv(process.env, runMode) === 'production') {
    throw new Error('development tokens are not made in production mode (NODE_ENV=production)')
  }
  const claims = readTokenClaims(options)
  const folders: Folders = { cwd: process.cwd(), root }
  const folder = stateFolder(stateDirOf(process.env, folders), [])
  const running = await runningHere(folders)
  const issuer = issuerOf(running, system)
  if (running !== undefined && !('iss' in claims)) requireAccepted(issuer, running)
  const hadKeys = existsSync(folder.keys)
  await createStateFolder(folder)
  const { sign } = await createDevIssuer({ folder: folder.keys, ...(issuer !== undefined && { issuer }) })
  process.stdout.write(`${await sign(claims)}\n`)
  if (!hadKeys && running === undefined) {
    note(
      `no system runs on ${visible(folder.path)}, where new keys were made: one that runs on another folder refuses this token (set TAPROOM_STATE_DIR)`,
    )
  }
  if (running !== undefined && running.keys === undefined && system && developmentIssuerOf(system) !== undefined) {
    note(
      `the system that runs verifies with the key that its MP_JWT_VERIFY_PUBLICKEY or MP_JWT_VERIFY_PUBLICKEY_LOCATION names: unless that is ${visible(folder.keys)}/public-key.pem, it refuses this token`,
    )
  }
}

function note(text: string): void {
  process.stderr.write(`pnpm run token: ${text}\n`)
}

async function runningHere(folders: Folders): Promise<SystemFacts | undefined> {
  return await runningSystem(process.env, folders).catch((error: unknown) => {
    if (error instanceof NotRunningError) return undefined
    throw error
  })
}

/** What the caller says, else what is accepted where the key is ours, else what the system's description says. */
function issuerOf(running: SystemFacts | undefined, system: System | undefined): string | undefined {
  const accepted = running?.keys === undefined ? undefined : running.issuers[0]
  return namedIssuer(process.env) ?? accepted ?? (system && developmentIssuerOf(system))
}

function requireAccepted(issuer: string | undefined, { issuers, keys }: SystemFacts): void {
  if (issuer === undefined || issuers.length === 0 || issuers.includes(issuer)) return
  // With a key of ours it was started without the variable.
  const remedy = keys === undefined ? 'set MP_JWT_VERIFY_ISSUER as it has it' : 'unset MP_JWT_VERIFY_ISSUER'
  throw new Error(
    `the system that runs takes tokens of ${issuers.join(', ')}, and this one would be of ${issuer}: ${remedy}, or give --claim 'iss="${issuers[0]}"'`,
  )
}
