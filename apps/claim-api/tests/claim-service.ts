import { createLogger, type Env } from '@taproom/service'
import { startClaimApi } from '../src/claim-api.ts'
import { readConfig } from '../src/config.ts'

/** claim-api as its process runs it. */
export type ClaimService = Awaited<ReturnType<typeof startClaimService>>

/** Starts claim-api as its process does, with the given variables on top of silence and a free local port. */
export async function startClaimService(env: Env, shutdown: AbortSignal = new AbortController().signal) {
  const config = readConfig({ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', ...env })
  return startClaimApi({ config, log: createLogger('claim-api', config.log), shutdown })
}
