import { once } from 'node:events'
import { httpAddress } from '@taproom/http'
import { createDevIssuer } from '@taproom/jwt/testing'
import { isAlive } from '@taproom/processes'
import { ConfigError, listen } from '@taproom/service'
import type { System } from '@taproom/system'
import { pause } from '@taproom/time'
import { hasDevelopmentKey } from '../config.ts'
import { controlAnswers } from '../control/control-client.ts'
import { openControl } from '../control/control-server.ts'
import { askService } from '../gateway/ask-service.ts'
import { createGateway } from '../gateway/gateway.ts'
import { systemHealth } from '../gateway/health-report.ts'
import { ownLine } from '../output/service-line.ts'
import {
  controlSocketPath,
  createStateFolder,
  emptyStateFolder,
  type StateFolder,
  stateFolder,
} from '../state/state-folder.ts'
import { lockState } from '../state/state-lock.ts'
import { portProblem } from '../supervisor/free-port.ts'
import { ManagedProcess } from '../supervisor/managed-process.ts'
import { createSupervisor } from '../supervisor/supervisor.ts'
import { describeServices } from './services.ts'
import type { SystemOptions } from './system-options.ts'
import { resourceApi, tryLines } from './try-lines.ts'

/** The running system; disposing of it stops everything, within five seconds. */
export interface RunningSystem extends AsyncDisposable {
  /** The gateway's address. */
  readonly url: string
  readonly processes: readonly ManagedProcess[]
  /** Names of readiness checks that are DOWN. */
  readonly notReady: readonly string[]
}

const STOP_MS = 4000
/** After a failed start no service has work to finish. */
const FAILED_START_MS = 1000
const DRAIN_MS = 300
/** How long the processes of a killed system may still hold their ports. */
const LEFTOVER_MS = 5000
const READINESS_MS = 5000

/**
 * Starts the whole system: locks the state folder, checks that the ports are free, starts gateway and services, waits until all are ready.
 *
 * @throws {StateLockError} when another system uses the state folder
 * @throws {ConfigError} when ports are in use
 * @throws {StartError} when services end instead of being ready
 */
export async function startSystem(options: SystemOptions): Promise<RunningSystem> {
  const { system, config, stop, kill } = options
  await using opened = new AsyncDisposableStack()
  const folder = stateFolder(config.stateDir, system.keeps)
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
  await Promise.race([requirePorts(options, lock.recovered ? LEFTOVER_MS : 0), aborted(stop)])

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
      paths: pathsOf(system),
      portOf,
      shutdown: stop,
      healthRootPath: config.health.rootPath,
      hasPages: config.health.ui,
      allowedHosts: config.gateway.allowedHosts,
      home: () => ({ url, links: linksOf(system), resourceApi: resourceApi(config), tryLines: tryLines(url, options) }),
      onFailure: (service, status, reason) =>
        options.logs.write(ownLine('gateway', 'warn', 'service did not answer', { target: service, status, reason })),
    }),
  )
  // After a stop during the check of the ports, none may be complained about: any free one will do.
  const port = stop.aborted ? 0 : config.http.port
  const server = opened.use(await listen(gateway.handle, { ...config.http, tls: undefined, port, drainMs: DRAIN_MS }))
  url = httpAddress(config.http.host, server.port)
  const ask = askService({ portOf })
  const askNotReady = async (names: readonly string[]) => {
    const asked = services.filter((name) => names.includes(name))
    const { checks } = await systemHealth(asked, `${config.health.rootPath}/ready`, ask)
    return checks.filter(({ status }) => status === 'DOWN').map(({ name }) => name)
  }
  opened.use(await openControl(controlPath, { processes, askNotReady }))

  const supervisor = createSupervisor({
    processes: processes.map((process, index) => ({ process, needs: descriptions[index]?.needs ?? [] })),
  })
  let isStarted = false
  opened.defer(() => supervisor.stop(isStarted ? STOP_MS : FAILED_START_MS))
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

async function requirePorts({ config }: SystemOptions, waitMs: number): Promise<void> {
  const wanted = Object.entries(config.portsByVariable).map(([variable, port]) => {
    return { host: variable === 'PORT' ? config.http.host : '127.0.0.1', port, variable }
  })
  const problems = await Promise.all(wanted.map((port) => portProblem(port, waitMs)))
  const found = problems.filter((problem) => problem !== undefined)
  if (found.length > 0) throw new ConfigError(found)
}

/** Apps by their paths at the base URL. */
function pathsOf({ apps }: System): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(apps).flatMap(([name, { serves = [] }]) => serves.map((path) => [path, name])),
  )
}

function linksOf({ apps }: System): Readonly<Record<string, string>> {
  return Object.assign({}, ...Object.values(apps).map(({ links }) => links))
}

async function createProcesses({ system, config, env, cwd, logs, onChange }: SystemOptions, folder: StateFolder) {
  const key = hasDevelopmentKey(config) ? await createDevIssuer({ folder: folder.keys }) : undefined
  const issuer = key && { url: key.issuer, publicKeyFile: key.publicKeyFile ?? '' }
  const descriptions = describeServices({ system, config, env, cwd, folder, issuer })
  const processes: ManagedProcess[] = descriptions.map(
    (description) =>
      new ManagedProcess({
        name: description.name,
        main: description.main,
        cwd: description.cwd,
        port: description.port,
        env: (port) => description.env(port, (name) => processes.find((other) => other.name === name)?.status.port),
        onLine: (line) => logs.write(line),
        onChange,
      }),
  )
  return { processes, descriptions }
}

/** Waits up to `READINESS_MS` until every readiness check is UP; gives the names of those that are DOWN. */
async function waitUntilReady(
  stop: AbortSignal,
  askNotReady: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const deadline = performance.now() + READINESS_MS
  for (;;) {
    if (stop.aborted) return []
    const down = await askNotReady()
    if (down.length === 0 || performance.now() >= deadline) return down
    await pause(50)
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
