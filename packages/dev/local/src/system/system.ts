import { httpAddress } from '@taproom/http'
import { ConfigError, type Env, listen } from '@taproom/service'
import { type LocalConfig, portNames, portVariable } from '../config.ts'
import { controlAnswers } from '../control/control-client.ts'
import { openControl } from '../control/control-server.ts'
import { controlSocketPath } from '../control/control-socket.ts'
import { openDevIssuer } from '../dev-keys.ts'
import { createGateway } from '../gateway/gateway.ts'
import { systemHealth } from '../gateway/health-report.ts'
import type { LogOutput } from '../output/log-output.ts'
import { ownLine } from '../output/service-line.ts'
import { createStateFolder, emptyStateFolder, type StateFolder, stateFolder } from '../state/state-folder.ts'
import { lockState } from '../state/state-lock.ts'
import { portProblem } from '../supervisor/free-port.ts'
import { ManagedProcess, type ProcessStatus } from '../supervisor/managed-process.ts'
import { createSupervisor } from '../supervisor/supervisor.ts'
import { repository } from './repository.ts'
import { describeServices } from './services.ts'
import { resourceApi, tryLines } from './try-lines.ts'

/** The running system; disposing of it stops everything, within five seconds. */
export interface System extends AsyncDisposable {
  /** The gateway's address. */
  readonly url: string
  readonly processes: readonly ManagedProcess[]
  /** Names of readiness checks that are DOWN; empty when all is well. */
  readonly notReady: readonly string[]
}

/** Options of {@link startSystem}. */
export interface SystemOptions {
  readonly config: LocalConfig
  readonly env: Env
  readonly cwd: string
  /** Forget the state of earlier runs. */
  readonly fresh: boolean
  readonly logs: LogOutput
  /** Aborted when the system is to stop. */
  readonly stop: AbortSignal
  /** Aborted when everything is to end at once. */
  readonly kill: AbortSignal
  onChange(status: ProcessStatus): void
}

const preload = new URL('../supervisor/exit-with-parent.ts', import.meta.url)
const stopMs = 4000
/** After a failed start nothing is worth waiting for. */
const failedStartMs = 1000
const drainMs = 300
/** How long an earlier system's processes may still hold their ports after it was killed. */
const leftoverMs = 5000
const readinessMs = 5000

/**
 * Starts the whole system: takes the state folder, looks whether the ports are free, starts gateway and services, waits until all are
 * ready.
 *
 * @throws StateLockError when another system has the state folder
 * @throws ConfigError when ports are in use
 * @throws StartError when services end instead of being ready
 */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { config, stop, kill } = options
  await using opened = new AsyncDisposableStack()
  const folder = stateFolder(config.stateDir)
  const controlPath = controlSocketPath(folder.path)
  await createStateFolder(folder)
  const lock = opened.use(
    await lockState({
      path: folder.lock,
      pid: process.pid,
      isRunning: async (pid) => isAlive(pid) && controlAnswers(controlPath),
    }),
  )
  if (options.fresh) await emptyStateFolder(folder)
  await Promise.race([requirePorts(config, lock.recovered ? leftoverMs : 0), aborted(stop)])

  const { processes, descriptions } = await createProcesses(options, folder)
  const portOf = (name: string) => {
    const status = processes.find((process) => process.name === name)?.status
    return status?.state === 'ready' || status?.state === 'stopping' ? status.port : undefined
  }
  const services = descriptions.filter(({ hasHealth }) => hasHealth).map(({ name }) => name)
  let url = ''
  const gateway = opened.use(
    createGateway({
      services,
      portOf,
      shutdown: stop,
      healthRootPath: config.health.rootPath,
      hasPages: config.health.ui,
      allowedHosts: config.gateway.allowedHosts,
      home: () => ({ url, resourceApi: resourceApi(config), tryLines: tryLines(url, config, options.env) }),
      onFailure: (service, status, reason) =>
        options.logs.write(ownLine('gateway', 'warn', 'service did not answer', { target: service, status, reason })),
    }),
  )
  // A stop while the ports were looked at must not end in a message about them.
  const port = stop.aborted ? 0 : config.http.port
  const server = opened.use(await listen(gateway.handle, { ...config.http, port, drainMs }))
  url = httpAddress(config.http.host, server.port)
  const askNotReady = async (names: readonly string[]) => {
    const asked = services.filter((name) => names.includes(name)).map((name) => ({ name, port: portOf(name) }))
    const { checks } = await systemHealth({ services: asked, path: `${config.health.rootPath}/ready` })
    return checks.filter(({ status }) => status === 'DOWN').map(({ name }) => name)
  }
  opened.use(await openControl(controlPath, { processes, askNotReady }))

  const supervisor = createSupervisor({
    processes: processes.map((process, index) => ({ process, needs: descriptions[index]?.needs ?? [] })),
  })
  let isStarted = false
  opened.defer(() => supervisor.stop(isStarted ? stopMs : failedStartMs))
  kill.addEventListener('abort', () => supervisor.kill(), { once: true })

  if (!stop.aborted) await Promise.race([supervisor.start(), aborted(stop)])
  const notReady = await waitUntilReady(stop, () => askNotReady(services))
  isStarted = true
  if (!stop.aborted) options.logs.write(ownLine('gateway', 'info', 'gateway ready', { port: server.port, notReady }))
  const all = opened.move()
  return {
    url,
    processes,
    notReady,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

async function requirePorts({ http, ports, embedded }: LocalConfig, waitMs: number): Promise<void> {
  const wanted = [
    { host: http.host, port: http.port, variable: 'PORT' },
    { host: '127.0.0.1', port: ports.kube, variable: 'KUBE_PORT' },
    ...(embedded.kafka ? [{ host: '127.0.0.1', port: ports.kafka, variable: 'KAFKA_PORT' }] : []),
    ...portNames.map((name) => ({ host: '127.0.0.1', port: ports.pinned[name], variable: portVariable(name) })),
  ]
  const problems = await Promise.all(wanted.map((port) => portProblem(port, waitMs)))
  const found = problems.filter((problem) => problem !== undefined)
  if (found.length > 0) throw new ConfigError(found)
}

async function createProcesses({ config, env, cwd, logs, onChange }: SystemOptions, folder: StateFolder) {
  const devIssuer = config.embedded.keys ? await openDevIssuer(folder.keys) : undefined
  const descriptions = describeServices({ config, env, cwd, root: repository, folder, devIssuer })
  const processes: ManagedProcess[] = descriptions.map(
    (description) =>
      new ManagedProcess({
        name: description.name,
        args: ['--conditions=development', `--import=${preload}`, description.main],
        cwd: description.cwd,
        port: description.port,
        env: (port) => description.env(port, (name) => processes.find((other) => other.name === name)?.status.port),
        onLine: (line) => logs.write(line),
        onChange,
      }),
  )
  return { processes, descriptions }
}

/** Waits until every readiness check is UP, for a while at most; gives the names of those that are not. */
async function waitUntilReady(
  stop: AbortSignal,
  askNotReady: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const deadline = performance.now() + readinessMs
  for (;;) {
    if (stop.aborted) return []
    const down = await askNotReady()
    if (down.length === 0 || performance.now() >= deadline) return down
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
