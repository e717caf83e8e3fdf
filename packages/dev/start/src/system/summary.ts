import { needsOf, type System } from '@taproom/system'
import type { ReadySummary, TableRow } from '../output/start-report.ts'
import { type ProcessStatus, shownState } from '../supervisor/managed-process.ts'
import type { RunningSystem } from './start-system.ts'
import type { SystemOptions } from './system-options.ts'
import { resourceApi, tryLines } from './try-lines.ts'

/** The part of a running system that the summary shows. */
export interface SummarisedSystem extends Pick<RunningSystem, 'url' | 'notReady'> {
  readonly processes: readonly { readonly name: string; readonly status: ProcessStatus }[]
}

export function summarise(
  running: SummarisedSystem,
  options: Pick<SystemOptions, 'system' | 'config' | 'env'>,
): ReadySummary {
  const { url } = running
  const { config } = options
  return {
    url,
    rows: tableRows(running, options),
    notReady: running.notReady,
    healthPage: config.health.ui ? `${url}/q/health-ui/` : undefined,
    tryLines: tryLines(url, options),
  }
}

function tableRows(
  { processes, notReady, url }: SummarisedSystem,
  { system, config }: Pick<SystemOptions, 'system' | 'config'>,
): TableRow[] {
  const rows = processes.map(({ status: { name, port, state, pid } }) => {
    const address = port === undefined ? '' : addressOf(name, port, system)
    return { service: name, url: address, state: shownState({ name, state }, notReady), pid }
  })
  const platform = processes.find(({ name }) => name === 'event-platform')?.status
  return [
    { service: 'gateway', url, state: 'ready', pid: process.pid },
    ...rows,
    {
      service: 'resource API',
      url: resourceApi(config),
      state: platform ? shownState(platform, notReady) : 'stopped',
      pid: platform?.pid,
    },
  ]
}

/** For a stand-in, the value that the variable of the real one would have. */
function addressOf(name: string, port: number, system: System): string {
  const path = name in system.apps ? '' : needsOf(system).find(({ standIn }) => standIn === name)?.path
  return path === undefined ? `127.0.0.1:${port}` : `http://127.0.0.1:${port}${path}`
}
