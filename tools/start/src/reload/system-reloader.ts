import { join } from 'node:path'
import type { Env } from '@taproom/service'
import type { System } from '@taproom/system'
import { RELOAD_FAILED, RELOADED } from '../output/log-messages.ts'
import type { LogOutput } from '../output/log-output.ts'
import { ownLine } from '../output/service-line.ts'
import type { ServiceDescription } from '../services/services.ts'
import { appFolder, type SystemFiles } from '../services/system-files.ts'
import { Launch, type LaunchOptions } from '../supervisor/launch.ts'
import type { ManagedProcess } from '../supervisor/managed-process.ts'
import { makeNewRevisions } from './new-revisions.ts'
import { type Reloadable, type ReloadEvent, Reloader } from './reloader.ts'

export interface ReloadedProcess {
  readonly process: Pick<ManagedProcess, 'name' | 'startedAt' | 'replace'>
  readonly description: Pick<ServiceDescription, 'main'>
}

export interface SystemReloaderOptions {
  readonly system: System
  readonly files: SystemFiles
  /** The description; undefined when it is not watched. */
  readonly description: Reloadable | undefined
  readonly processes: readonly ReloadedProcess[]
  readonly env: Env
  /** Base URL of the resource API; undefined where there is none. */
  readonly resourceApi: string | undefined
  /** The file of `pnpm start` itself. */
  readonly ownMain: string
  readonly logs: LogOutput
  /** Aborted when nothing is to be watched any more. */
  readonly signal: AbortSignal
}

/** The description, as its program is called. No service is called so. */
export const DESCRIPTION = 'system.ts'

/** Watches the sources of everything that runs, the processes, the sinks, and `pnpm start` itself, and those of the description. */
export function openSystemReloader(options: SystemReloaderOptions): Promise<Reloader> {
  const { description, files, logs, signal } = options
  const programs = [
    ...(description === undefined ? [] : [description]),
    ...processPrograms(options),
    ...sinkPrograms(options),
    ...ownProgram(options),
  ]
  const onEvent = (event: ReloadEvent) => {
    const line = lineOf(event)
    if (line !== undefined) logs.write(line)
  }
  return Reloader.open({ root: files.root, programs, onEvent, signal })
}

function processPrograms({ processes }: SystemReloaderOptions): Reloadable[] {
  return processes.map(({ process, description }) => ({
    name: process.name,
    main: description.main,
    startedAt: () => process.startedAt,
    reload: (next, before) => process.replace(next, before),
  }))
}

function sinkPrograms({ system, files, resourceApi, env }: SystemReloaderOptions): Reloadable[] {
  if (resourceApi === undefined) return []
  const apps = [...new Set(Object.values(system.sinks).map(({ app }) => app))]
  return apps.map((app) => {
    const cwd = appFolder(app, files)
    const main = join(cwd, 'src/main.ts')
    return {
      name: app,
      main,
      // The event platform reads the sources of an instance when it starts one.
      startedAt: () => undefined,
      async reload() {
        await tryToLoad({ name: app, main, cwd, env })
        await makeNewRevisions(resourceApi, app)
      },
    }
  })
}

/**
 * Loads a program's modules, and does not run it.
 *
 * @throws {ServiceExitError} when they cannot be loaded
 */
async function tryToLoad(options: Pick<LaunchOptions, 'name' | 'main' | 'cwd' | 'env'>): Promise<void> {
  const launch = new Launch({
    ...options,
    onLine: () => {},
    isHeld: true,
    inspectPort: undefined,
  })
  try {
    await launch.load({ sources: {}, config: undefined })
  } finally {
    await launch.child.kill()
  }
}

/** `pnpm start` itself, as it is called in the log. */
const OWN = 'gateway'

/** What runs here cannot replace itself. Installed, it does not change. */
function ownProgram({ ownMain: main }: SystemReloaderOptions): Reloadable[] {
  if (!main.endsWith('.ts')) return []
  const since = performance.timeOrigin
  const reload = () => Promise.reject(new Error('it would have to be restarted'))
  return [{ name: OWN, main, startedAt: () => since, reload }]
}

function lineOf(event: ReloadEvent) {
  if (event.kind === 'unwatched') {
    return ownLine(OWN, 'warn', 'changes of some sources will not be noticed', { reason: event.reason })
  }
  const { kind, name, ...fields } = event
  if (name === DESCRIPTION) {
    // Reported where it is taken up.
    if (kind === 'reloaded') return undefined
    return ownLine(OWN, 'warn', 'system.ts cannot be loaded: the previous description keeps running', fields)
  }
  if (name === OWN) {
    return ownLine(OWN, 'warn', 'sources of pnpm start itself changed: restart it', { changed: event.changed })
  }
  return kind === 'reloaded' ? ownLine(name, 'info', RELOADED, fields) : ownLine(name, 'warn', RELOAD_FAILED, fields)
}
