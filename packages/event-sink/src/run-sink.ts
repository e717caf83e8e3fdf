import { once } from 'node:events'
import { createHealth, processCheck } from '@taproom/health'
import { createLogger, type Env, fatal, kernelConfig, listen, parseEnv, shutdownSignal } from '@taproom/service'
import { createApp } from './app.ts'
import type { SinkIdentity } from './sink-identity.ts'

/**
 * Runs a sink until the process is asked to stop; the whole of a sink's `main.ts`. Never rejects: what keeps it from
 * starting is told on stderr and the exit code is 1.
 */
export async function runSink(identity: SinkIdentity, env: Env): Promise<void> {
  try {
    await serve(identity, env)
  } catch (error) {
    fatal(`${identity.app} failed to start`, error)
    process.exitCode = 1
  }
}

async function serve(identity: SinkIdentity, env: Env): Promise<void> {
  const config = parseEnv(env, kernelConfig)
  const log = createLogger(identity.app, config.log)
  const shutdown = shutdownSignal(log, config.graceMs)
  const health = createHealth({ wellness: [processCheck()], shutdown })

  const app = createApp({ identity, health, healthRoutes: config.health, log })
  await using server = await listen(app, config.http)
  log.info({ sink: identity.sink, port: server.port }, `${identity.app} ready`)
  if (!shutdown.aborted) await once(shutdown, 'abort')
}
