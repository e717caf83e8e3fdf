import { createHealth, processCheck } from '@taproom/health'
import {
  assemble,
  type KernelConfig,
  kernelConfig,
  listen,
  parseEnv,
  runService,
  type ServiceContext,
} from '@taproom/service'
import { openTelemetry } from '@taproom/telemetry'
import { createApp, type SinkIdentity } from './app.ts'

/** Runs a sink until the process is asked to stop. Never rejects, like `runService`. */
export function runSink(identity: SinkIdentity): Promise<void> {
  const readConfig = (env: NodeJS.ProcessEnv) => parseEnv(env, kernelConfig)
  const start = ({ config, log, shutdown }: ServiceContext<KernelConfig>) =>
    assemble(async (use) => {
      const health = createHealth({ wellness: [processCheck()], shutdown })
      const server = use(await listen(createApp({ identity, health, healthRoutes: config.health, log }), config.http))
      return { ...server, details: { sink: identity.sink } }
    })
  return runService(identity.app, readConfig, start, openTelemetry)
}
