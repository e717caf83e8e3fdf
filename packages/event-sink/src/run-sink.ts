import { createHealth, type HealthCheck, processCheck } from '@taproom/health'
import {
  assemble,
  type Env,
  type KernelConfig,
  kernelConfig,
  listen,
  parseEnv,
  runService,
  type ServiceContext,
  type Use,
} from '@taproom/service'
import { openTelemetry } from '@taproom/telemetry'
import { createApp } from './app.ts'
import type { EventHandlers } from './event-handlers.ts'
import { logEvents } from './logged-event.ts'

export interface SinkIdentity {
  /** The app's name in logs: `ciao-sink`. */
  readonly app: string
  /** The Knative service it is deployed as: `eventingciao`. */
  readonly sink: string
}

/** Passed to `open` of a sink. */
export interface SinkContext<Config> extends ServiceContext<Config> {
  /** Registers a part to be closed after the last event, in reverse order, and returns it. */
  readonly use: Use
}

/** A sink that takes events. */
export interface OpenedSink {
  /** Handlers by the type of the event. `*` is for all types that have none; without it events of other types are refused with 400. */
  readonly on: EventHandlers
  /** Checks that must be UP for the sink to get events. Default: none. */
  readonly readiness?: readonly HealthCheck[]
}

/** A sink with code of its own. */
export interface SinkOptions<Config extends KernelConfig> extends SinkIdentity {
  /** @throws {ConfigError} listing every invalid variable */
  readConfig(env: Env): Config
  /** Opens what the handlers need. */
  open(context: SinkContext<Config>): OpenedSink | Promise<OpenedSink>
}

/**
 * Runs a sink until the process is asked to stop. Without `open` it logs each event in one line. Never rejects, like `runService`.
 *
 * @example
 * void runSink({
 *   app: 'ledger-sink',
 *   sink: 'ledger',
 *   readConfig,
 *   open({ config, log, use }) {
 *     const database = use(openLedgerDatabase({ ...config, log }))
 *     return {
 *       on: { 'order.placed': validData(orderSchema, ({ id, data }) => addOrder(database, id, data)) },
 *       readiness: [databaseCheck({ '<default>': () => database.ping() })],
 *     }
 *   },
 * })
 */
export function runSink<Config extends KernelConfig>(options: SinkIdentity | SinkOptions<Config>): Promise<void> {
  return 'open' in options ? runOpened(options) : runOpened({ ...options, ...logging(options) })
}

function logging({ sink }: SinkIdentity): Omit<SinkOptions<KernelConfig>, keyof SinkIdentity> {
  return {
    readConfig: (env) => parseEnv(env, kernelConfig),
    open: ({ log }) => ({ on: { '*': logEvents(sink, log) } }),
  }
}

function runOpened<Config extends KernelConfig>({ app, sink, readConfig, open }: SinkOptions<Config>): Promise<void> {
  const start = (context: ServiceContext<Config>) =>
    assemble(async (use) => {
      const { config, log, shutdown } = context
      const { on, readiness = [] } = await open({ ...context, use })
      const health = createHealth({ readiness, wellness: [processCheck()], shutdown })
      const server = use(await listen(createApp({ sink, on, health, healthRoutes: config.health, log }), config.http))
      return { ...server, details: { sink } }
    })
  return runService(app, readConfig, start, openTelemetry)
}
