import { once } from 'node:events'
import { reasonOf } from '@taproom/core/lines'
import { httpAddress } from '@taproom/http'
import { isAlive } from '@taproom/processes'
import { ConfigError, OpenedParts, recordReads } from '@taproom/service'
import type { System } from '@taproom/system'
import { readConfig } from '../config.ts'
import { checkVariables } from '../configurations/check-variables.ts'
import { consoleFor } from '../console/chosen-console.ts'
import { startedConsole } from '../console/started-console.ts'
import { controlAnswers } from '../control/control-client.ts'
import { openControl } from '../control/control-server.ts'
import { askService } from '../gateway/ask-service.ts'
import type { Entrance } from '../gateway/entrance.ts'
import { createGateway, type Gateway } from '../gateway/gateway.ts'
import { openGatewayTraces } from '../gateway/gateway-traces.ts'
import { ownLine } from '../output/service-line.ts'
import type { Reloadable } from '../reload/reloader.ts'
import { openSystemReloader } from '../reload/system-reloader.ts'
import { describeSinks } from '../services/manifests.ts'
import type { SystemOptions } from '../services/system-options.ts'
import { resourceApi, tryLines } from '../services/try-lines.ts'
import { controlSocketPath, createStateFolder, emptyStateFolder, stateFolder } from '../state/state-folder.ts'
import { lockState } from '../state/state-lock.ts'
import { portProblem } from '../supervisor/free-port.ts'
import type { ManagedProcess } from '../supervisor/managed-process.ts'
import { createSupervisor } from '../supervisor/supervisor.ts'
import { askFailing, downTexts, waitUntilReady } from './readiness.ts'
import { systemFacts } from './system-facts.ts'
import { createProcesses, type SystemProcesses } from './system-processes.ts'

export interface StartOptions extends SystemOptions {
  /** The description itself, watched with the sources; undefined when it is not. */
  readonly description: Reloadable | undefined
  /** The gateway's port, which stays open while the system is started again. */
  readonly entrance: Entrance
}

/** The running system; disposing of it stops everything, within five seconds. */
export interface RunningSystem extends AsyncDisposable {
  readonly url: string
  readonly processes: readonly ManagedProcess[]
  /** Names of services that are not ready. */
  readonly notReady: readonly string[]
  /** Readiness checks that are DOWN and their services; one sentence in place of those that wait for Kafka. */
  readonly down: readonly string[]
  /** The names of all variables that are read here. Rejects when a configuration cannot be read. */
  variables(): Promise<readonly string[]>
}

/** Leaves the rest of five seconds to the gateway, its last spans and the console. */
const STOP_MS = 3500
/** After a failed start no service has work to finish. */
const FAILED_START_MS = 1000
/** How long the processes of a killed system may still hold their ports. */
const LEFTOVER_MS = 5000

/**
 * Starts the whole system: locks the state folder, checks that the ports are free, starts gateway and services, waits until all are ready.
 * The console comes after that, and is not waited for.
 *
 * @throws {StateLockError} when another system uses the state folder
 * @throws {ConfigError} when ports are in use, or manifests that differ from the description cannot be written
 * @throws {StartError} when services end instead of being ready
 */
export async function startSystem(options: StartOptions): Promise<RunningSystem> {
  const { system, config, entrance, stop, kill } = options
  await using opened = new OpenedParts()
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
  await describeSinks(options)

  let gateway: Gateway | undefined
  let url = ''
  const all = await createProcesses(options, {
    folder,
    controlPath,
    answered: async (service) => gateway?.answered(service),
    readinessUp: (service) => waitUntilReady(stop, ask, [service]),
    gateway: () => url,
  })
  opened.use(all.spare)
  const asking = askable(all)
  const ask = asking.failing(`${config.health.rootPath}/ready`)
  const console = opened.use(startedConsole(all.console?.process, { logs: options.logs, kill }))
  // Its last spans are sent while the console is still there.
  const traces = opened.use(await openGatewayTraces(options))
  gateway = opened.use(openGateway(options, { ...asking, url: () => url, console: console.started }))
  // After a stop during the check of the ports, none may be complained about: any free one will do.
  const port = stop.aborted ? 0 : config.http.port
  const server = await entrance.open({ ...config.http, tls: undefined, port })
  opened.use(entrance.leadTo(gateway.handle))
  url = httpAddress(config.http.host, server.port)
  const controlled = [...all.services, ...(all.console === undefined ? [] : [all.console])]
  const facts = systemFacts(options, { url, folder, services: all.services })
  const { onChange } = all
  opened.use(
    await openControl(controlPath, { facts, processes: controlled, askFailing: ask, logs: options.recent, onChange }),
  )

  const supervisor = createSupervisor({
    processes: all.services.map(({ process, description: { needs } }) => ({ process, needs })),
  })
  let isStarted = false
  opened.defer(() => supervisor.stop(isStarted ? STOP_MS : FAILED_START_MS))
  kill.addEventListener('abort', () => supervisor.kill(), { once: true })

  if (!stop.aborted) await Promise.race([supervisor.start(), aborted(stop)])
  const failing = await waitUntilReady(stop, ask, asking.services)
  const down = await downTexts(failing, facts.bootstrapServers)
  isStarted = true
  entrance.release()
  if (!stop.aborted) {
    options.logs.write(ownLine('gateway', 'info', 'gateway ready', { port: server.port, notReady: down }))
    console.start()
    traces.ready()
  }
  if (options.watches && !stop.aborted) {
    const { files, env, logs, ownMain, description } = options
    const watching = new AbortController()
    opened.defer(() => watching.abort())
    const { signal } = watching
    // The system does not wait until all sources are read: what changes meanwhile counts as changed.
    openSystemReloader({
      ...{ system, files, description, processes: controlled, env, ownMain, logs, signal },
      resourceApi: resourceApi(config),
    }).catch((error: unknown) => {
      logs.write(ownLine('gateway', 'warn', 'changes of sources will not be noticed', { reason: reasonOf(error) }))
    })
  }
  const parts = opened.move()
  return {
    url,
    processes: controlled.map(({ process }) => process),
    notReady: Object.keys(failing),
    down,
    variables: () => readVariables(options, all.services),
    [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose](),
  }
}

async function readVariables(
  { env, cwd, system, files }: SystemOptions,
  services: SystemProcesses['services'],
): Promise<readonly string[]> {
  const own = recordReads(env)
  readConfig(own.env, { cwd, root: files.root }, system)
  const { names } = await checkVariables(
    services.map(({ description }) => description),
    { cwd, env },
  )
  return [...own.reads().map(({ name }) => name), ...names]
}

/** How the services can be asked. */
function askable({ services }: Pick<SystemProcesses, 'services'>) {
  const find = (name: string) => services.find(({ process }) => process.name === name)?.process
  const restartOf = (name: string) => find(name)?.restart
  const portOf = (name: string) => {
    const status = find(name)?.status
    return status?.state === 'ready' || status?.state === 'stopping' ? status.port : undefined
  }
  const healthy = services.filter(({ description }) => description.hasHealth).map(({ process }) => process.name)
  return {
    /** The services that report their health. */
    services: healthy,
    portOf,
    restartOf,
    failing: (path: string) => askFailing(healthy, path, askService({ portOf, restartOf })),
  }
}

interface BehindGateway extends Omit<ReturnType<typeof askable>, 'failing'> {
  url(): string
  /** Resolves when the console is there, with false when it is not. */
  console(): Promise<boolean>
}

function openGateway(options: SystemOptions, { url, console, ...behind }: BehindGateway): Gateway {
  const { system, config, console: chosen } = options
  return createGateway({
    ...behind,
    title: system.name,
    paths: pathsOf(system),
    shutdown: options.stop,
    healthRootPath: config.health.rootPath,
    hasPages: config.health.ui,
    allowedHosts: config.gateway.allowedHosts,
    allowedOrigins: config.http.cors?.origins ?? [],
    home: () => ({
      title: system.name,
      url: url(),
      links: linksOf(system),
      resourceApi: resourceApi(config),
      tryLines: tryLines(url(), options),
    }),
    async leadsTo(host) {
      const elsewhere = chosen && consoleFor(host, chosen)
      return elsewhere !== undefined && (await console()) ? elsewhere : undefined
    },
    onFailure: (service, status, reason) =>
      options.logs.write(ownLine('gateway', 'warn', 'service did not answer', { target: service, status, reason })),
  })
}

async function requirePorts({ config, entrance }: StartOptions, waitMs: number): Promise<void> {
  const isOwn = (variable: string) => variable === 'PORT' && entrance.isOpen
  const ports = Object.entries(config.portsByVariable).filter(([variable]) => !isOwn(variable))
  const wanted = ports.map(([variable, port]) => {
    return { host: variable === 'PORT' ? config.http.host : '127.0.0.1', port, variable }
  })
  const problems = await Promise.all(wanted.map((port) => portProblem(port, waitMs)))
  const found = problems.filter((problem) => problem !== undefined)
  if (found.length > 0) throw new ConfigError(found)
}

function pathsOf({ apps }: System): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(apps).flatMap(([name, { serves = [] }]) => serves.map((path) => [path, name])),
  )
}

function linksOf({ apps }: System): Readonly<Record<string, string>> {
  return Object.assign({}, ...Object.values(apps).map(({ links }) => links))
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
