/** `pnpm run token`: prints a token that the running system accepts, and nothing else. */
import { parseArgs } from 'node:util'
import { parseEnv } from '@taproom/service'
import { readStateDir } from './config.ts'
import { openDevIssuer } from './dev-keys.ts'
import { createStateFolder, stateFolder } from './state/state-folder.ts'
import { readTokenClaims, TOKEN_OPTIONS, TOKEN_USAGE } from './token-claims.ts'

async function main(): Promise<void> {
  if (process.env['NODE_ENV'] === 'production') {
    throw new Error('development tokens are not made in production mode (NODE_ENV=production)')
  }
  const { values } = parseArgs({ options: TOKEN_OPTIONS })
  if (values.help === true) {
    process.stdout.write(TOKEN_USAGE)
    return
  }
  const claims = readTokenClaims(values)
  const folder = stateFolder(parseEnv(process.env, (read) => readStateDir(read, process.cwd())))
  await createStateFolder(folder)
  const issuer = await openDevIssuer(folder.keys)
  process.stdout.write(`${await issuer.sign(claims)}\n`)
}

main().catch((error: unknown) => {
  process.stderr.write(`pnpm run token: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
