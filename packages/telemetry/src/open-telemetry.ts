import { type Log, reasonOf } from '@taproom/core/lines'
import type { Env } from './otel-variables.ts'
import { readTelemetry, type TelemetryConfig } from './telemetry-config.ts'

export interface TelemetryContext {
  /** The service's name, unless the variables have another. */
  readonly name: string
  readonly env: Env
  readonly log: Log
}

/** What traces the process, until it is disposed of. */
export interface Telemetry extends AsyncDisposable {
  /** Tells that the program is ready: `TELEMETRY_DELAY_MS` is counted from there. */
  ready(): void
}

const NOTHING: Telemetry = { ready: () => undefined, [Symbol.asyncDispose]: async () => undefined }

/**
 * Traces the process as OpenTelemetry's standard variables say, if `OTEL_EXPORTER_OTLP_ENDPOINT` (or `_TRACES_ENDPOINT`) names where to;
 * otherwise nothing is loaded. Resolves when every span from then on is recorded. With `TELEMETRY_DELAY_MS` it resolves at once, and spans are
 * recorded from so long after {@link Telemetry.ready} on: what is to start fast starts without them. Disposing exports what waits, for two seconds at most.
 *
 * @throws {TelemetryConfigError} when endpoint, headers or certificates are invalid
 */
export async function openTelemetry({ name, env, log }: TelemetryContext): Promise<Telemetry> {
  const { config, delayMs, ignored } = readTelemetry(env, name)
  for (const variable of ignored) log.warn(variable, 'variable of telemetry ignored')
  if (config === undefined) return NOTHING
  if (delayMs === 0) return await load(config, log)
  return later(delayMs, async () => {
    try {
      return await load(config, log)
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, 'nothing is traced')
      return NOTHING
    }
  })
}

async function load(config: TelemetryConfig, log: Log): Promise<Telemetry> {
  const { startSdk } = await import('./sdk.ts')
  const sdk = await startSdk(config, log)
  log.info({ endpoint: new URL(config.exporter.url).origin, sampler: config.sampler.name }, 'traces are exported')
  return { ...NOTHING, ...sdk }
}

/** What is opened so long after the program is ready, unless it is disposed of before. */
function later(delayMs: number, open: () => Promise<AsyncDisposable>): Telemetry {
  let opened: Promise<AsyncDisposable> | undefined
  let timer: NodeJS.Timeout | undefined
  return {
    ready() {
      timer ??= setTimeout(() => {
        opened = open()
      }, delayMs).unref()
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer)
      await (await opened)?.[Symbol.asyncDispose]()
    },
  }
}
