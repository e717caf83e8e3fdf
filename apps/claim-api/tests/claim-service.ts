import { createDevIssuer } from '@taproom/jwt/testing'
import { createLogger, type Env } from '@taproom/service'
import { startClaimApi } from '../src/claim-api.ts'
import { readConfig } from '../src/config.ts'

/** claim-api as its process runs it, and an issuer whose tokens it accepts. */
export type IssuedClaimService = Awaited<ReturnType<typeof startIssuedClaimService>>

/** Starts claim-api as its process does; `env` is added to a silent log and a free local port. */
export async function startClaimService(env: Env, shutdown: AbortSignal = new AbortController().signal) {
  const config = readConfig({ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', ...env })
  return startClaimApi({ config, log: createLogger('claim-api', config.log), shutdown })
}

/** Like {@link startClaimService}, with an issuer's key. */
export async function startIssuedClaimService(env: Env = {}, shutdown?: AbortSignal) {
  const issuer = await createDevIssuer()
  const key = { MP_JWT_VERIFY_PUBLICKEY: issuer.publicKeyPem, MP_JWT_VERIFY_ISSUER: issuer.issuer }
  return { ...(await startClaimService({ ...key, ...env }, shutdown)), issuer }
}
