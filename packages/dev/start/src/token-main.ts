/** `pnpm run token`: prints a token that the running system accepts, and nothing else. */
import { existsSync } from 'node:fs'
import { createDevIssuer } from '@taproom/jwt/testing'
import { reasonOf, visible, visibleLines } from '@taproom/lines'
import { parseEnv, runMode } from '@taproom/service'
import { readStateDir } from './config.ts'
import { controlAnswers } from './control/control-client.ts'
import { controlSocketPath, createStateFolder, stateFolder } from './state/state-folder.ts'
import { readTokenClaims, readTokenOptions, TOKEN_USAGE, TokenUsageError } from './token-claims.ts'

async function main(): Promise<void> {
  const options = readTokenOptions(process.argv.slice(2))
  if (options.help === true) {
    process.stdout.write(TOKEN_USAGE)
    return
  }
  if (parseEnv(process.env, runMode) === 'production') {
    throw new Error('development tokens are not made in production mode (NODE_ENV=production)')
  }
  const claims = readTokenClaims(options)
  const folder = stateFolder(
    parseEnv(process.env, (read) => readStateDir(read, process.cwd())),
    [],
  )
  const hadKeys = existsSync(folder.keys)
  await createStateFolder(folder)
  const issuer = await createDevIssuer({ folder: folder.keys })
  process.stdout.write(`${await issuer.sign(claims)}\n`)
  if (!hadKeys && !(await controlAnswers(controlSocketPath(folder.path), 0))) {
    process.stderr.write(
      `pnpm run token: no system runs on ${visible(folder.path)}, where new keys were made: one that runs on another folder refuses this token (set TAPROOM_STATE_DIR)\n`,
    )
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`pnpm run token: ${visibleLines(reasonOf(error))}\n`)
  process.exitCode = error instanceof TokenUsageError ? 2 : 1
})
