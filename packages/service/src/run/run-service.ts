import { once } from 'node:events'
import type { KernelConfig } from '../config/kernel-config.ts'
import type { Env } from '../env/env-reader.ts'
import { createLogger, type Logger } from '../logger.ts'
import { OpenedParts } from '../server/opened-parts.ts'
import { fatal } from './fatal.ts'
import { shutdownSignal } from './shutdown.ts'

export interface ServiceContext<Config> {
  readonly config: Config
  readonly log: Logger
  /** Aborts when the process is asked to stop; the service is disposed of after that. */
  readonly shutdown: AbortSignal
}

/** A service that runs until it is disposed of. */
export interface RunningService extends AsyncDisposable {
  readonly port: number
  /** If management has a port of its own. */
  readonly managementPort?: number
  /** Further fields of the ready line. */
  readonly details?: object
}

/** What begins before a service and ends after it, and may be told that the service is ready; `openTelemetry` of \@taproom/telemetry fits. */
export type OpenAround = (context: {
  readonly name: string
  readonly env: Env
  readonly log: Logger
}) => Promise<AsyncDisposable & { ready?(): void }>

/** How long a process may go on whose parts are all closed: for what is already on its way out. */
const LEFT_MS = 250

/**
 * Runs a service until SIGTERM or SIGINT; all that an app's `main.ts` does. Never rejects: a failure to start or to close is written to stderr,
 * and the exit code is 1.
 */
export async function runService<
  Config extends Pick<KernelConfig, 'log' | 'graceMs'> & Partial<Pick<KernelConfig, 'mode'>>,
>(
  name: string,
  readConfig: (env: Env) => Config,
  start: (context: ServiceContext<Config>) => Promise<RunningService>,
  openAround: OpenAround = async () => ({ [Symbol.asyncDispose]: async () => undefined }),
): Promise<void> {
  try {
    const config = readConfig(process.env)
    const log = createLogger(name, config.log)
    const shutdown = shutdownSignal(log, config.graceMs)
    if (config.mode === 'production') refuseDebugger(log)

    await using around = await openAround({ name, env: process.env, log })
    await using service = await start({ config, log, shutdown })
    const { port, managementPort } = service
    log.info({ ...service.details, port, ...(managementPort !== undefined && { managementPort }) }, `${name} ready`)
    around.ready?.()
    if (!shutdown.aborted) await once(shutdown, 'abort')
  } catch (error) {
    fatal(`${name} failed to start`, error)
    process.exitCode = 1
  }
  // What a library still waits for, say another attempt of its own at an export, does not keep a process that is done.
  setTimeout(() => process.exit(), LEFT_MS).unref()
}

/** A handler of SIGUSR1 replaces Node's, which opens a debugger: through it any program of this machine could run code in the process. */
function refuseDebugger(log: Logger): void {
  process.on('SIGUSR1', (signal) => log.warn({ signal }, 'no debugger is opened in production'))
}

/** Registers a part to be closed, and returns it. */
export type Use = <Part extends AsyncDisposable | Disposable>(part: Part) => Part

/**
 * Builds a whole from parts. Parts passed to `use` are disposed of in reverse order when the whole is disposed of, or at once when building
 * it fails.
 */
export async function assemble<Whole extends object>(
  build: (use: Use) => Promise<Whole>,
): Promise<Whole & AsyncDisposable> {
  await using building = new OpenedParts()
  const whole = await build((part) => building.use(part))
  const parts = building.move()
  return { ...whole, [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose]() }
}
