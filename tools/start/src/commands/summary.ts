import { needsOf, platformOf, type System } from '@taproom/system'
import { consoleUrl, sessionUrl } from '../console/chosen-console.ts'
import type { SystemOptions } from '../services/system-options.ts'
import { resourceApi, tryLines } from '../services/try-lines.ts'
import { type ProcessStatus, shownState } from '../supervisor/process-status.ts'
import type { RunningSystem } from '../system/start-system.ts'
import type { ReadySummary, TableRow } from './start-report.ts'

/** The part of a running system that the summary shows. */
export interface SummarisedSystem extends Pick<RunningSystem, 'url' | 'notReady' | 'down'> {
  readonly processes: readonly { readonly name: string; readonly status: ProcessStatus }[]
}

export function summarise(
  running: SummarisedSystem,
  options: Pick<SystemOptions, 'system' | 'config' | 'env' | 'inspectPorts' | 'console'>,
): ReadySummary {
  const { url } = running
  const { config } = options
  return {
    url,
    rows: tableRows(running, options),
    down: running.down,
    debuggers: Object.entries(options.inspectPorts).map(([service, port]) => ({ service, url: `127.0.0.1:${port}` })),
    console: options.console && sessionUrl({ ...options.console, url: consoleUrl(options.console) }),
    healthPage: config.health.ui ? `${url}/q/health-ui/` : undefined,
    tryLines: tryLines(url, options),
  }
}

function tableRows(
  { processes, notReady, url }: SummarisedSystem,
  { system, config, console }: Pick<SystemOptions, 'system' | 'config' | 'console'>,
): TableRow[] {
  const rows = processes.map(({ status: { name, port, state, pid } }) => {
    // The console is about to listen there; the start does not wait for it.
    const known = port ?? (name === 'console' ? console?.port : undefined)
    const address = known === undefined ? '' : addressOf(name, known, system)
    return { service: name, url: address, state: shownState({ name, state }, notReady), pid }
  })
  const gateway = { service: 'gateway', url, state: 'ready', pid: process.pid }
  const api = resourceApi(config)
  if (api === undefined) return [gateway, ...rows]
  const platform = processes.find(({ name }) => name === platformOf(system))?.status
  const state = platform ? shownState(platform, notReady) : 'stopped'
  return [gateway, ...rows, { service: 'resource API', url: api, state, pid: platform?.pid }]
}

/** For a stand-in, the value that the variable of the real one would have. */
function addressOf(name: string, port: number, system: System): string {
  const path = name in system.apps ? '' : needsOf(system).find(({ standIn }) => standIn === name)?.path
  return path === undefined ? `127.0.0.1:${port}` : `http://127.0.0.1:${port}${path}`
}
