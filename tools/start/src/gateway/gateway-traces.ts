import type { Log } from '@taproom/core/lines'
import { openTelemetry, type Telemetry } from '@taproom/telemetry'
import { consoleUrl } from '../console/chosen-console.ts'
import type { LogOutput } from '../output/log-output.ts'
import { ownLine } from '../output/service-line.ts'
import { NOT_SHARED, traceVariables } from '../services/service-environment.ts'
import type { SystemOptions } from '../services/system-options.ts'

/** Traces what passes the gateway, as services are traced. */
export async function openGatewayTraces({
  env,
  console,
  logs,
}: Pick<SystemOptions, 'env' | 'console' | 'logs'>): Promise<Telemetry> {
  const variables = { ...env, ...NOT_SHARED, ...traceVariables(env, console && consoleUrl(console)) }
  return await openTelemetry({ name: 'gateway', env: variables, log: gatewayLog(logs) })
}

function gatewayLog(logs: LogOutput): Log {
  const writer = (level: 'info' | 'warn') => (fields: object, message: string) =>
    logs.write(ownLine('gateway', level, message, fields))
  return { debug: () => undefined, info: writer('info'), warn: writer('warn'), error: writer('warn') }
}
