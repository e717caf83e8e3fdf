import { once } from 'node:events'
import { createHealth, processCheck } from '@taproom/health'
import { createJwtVerifier } from '@taproom/jwt'
import { createLogger, fatal, listen, shutdownSignal } from '@taproom/service'
import { createApp } from './app.ts'
import { readConfig } from './config.ts'

async function main() {
  const config = readConfig(process.env)
  const log = createLogger('claim-api', config.log)
  const shutdown = shutdownSignal(log, config.graceMs)

  using verifier = await createJwtVerifier({ ...config.jwt.verifier, log })
  const health = createHealth({ readiness: [verifier.check], wellness: [processCheck()], shutdown })

  const app = createApp({ verifier, token: config.jwt.token, health, healthRoutes: config.health, log })
  await using server = await listen(app, config.http)
  log.info({ port: server.port }, 'claim-api ready')
  if (!shutdown.aborted) await once(shutdown, 'abort')
}

main().catch((error: unknown) => {
  fatal('claim-api failed to start', error)
  process.exitCode = 1
})
