import { createHealth } from '@taproom/health'
import { createJwtVerifier } from '@taproom/jwt'
import { createLogger, type Env, listen } from '@taproom/service'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'

/** claim-api as `main.ts` composes it, on a free port, silent. */
export interface ClaimService extends AsyncDisposable {
  readonly url: string
}

/** Starts claim-api with the given variables on top of silence and a free local port. */
export async function startClaimService(env: Env, shutdown?: AbortSignal): Promise<ClaimService> {
  const config = readConfig({ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', ...env })
  const log = createLogger('claim-api', config.log)
  const verifier = await createJwtVerifier({ ...config.jwt.verifier, log })
  const health = createHealth({ readiness: [verifier.check], cacheMs: 0, ...(shutdown && { shutdown }) })
  const app = createApp({ verifier, token: config.jwt.token, health, healthRoutes: config.health, log })
  const server = await listen(app, config.http)
  return {
    url: server.url,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      verifier[Symbol.dispose]()
    },
  }
}
