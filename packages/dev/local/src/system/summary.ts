import type { Env } from '@taproom/service'
import type { LocalConfig } from '../config.ts'
import type { ReadySummary, TableRow } from '../output/start-report.ts'
import { toldState } from '../output/told-state.ts'
import type { ProcessStatus } from '../supervisor/managed-process.ts'
import type { System } from './system.ts'
import { resourceApi, tryLines } from './try-lines.ts'

/** What of a system is told. */
export interface SummarisedSystem extends Pick<System, 'url' | 'notReady'> {
  readonly processes: readonly { readonly name: string; readonly status: ProcessStatus }[]
}

/** What a person is told about a system that is ready. */
export function summarise(system: SummarisedSystem, config: LocalConfig, env: Env): ReadySummary {
  const { url } = system
  return {
    url,
    rows: tableRows(system, config, url),
    notReady: system.notReady,
    healthPage: config.health.ui ? `${url}/q/health-ui/` : undefined,
    tryLines: tryLines(url, config, env),
  }
}

/** What the stand-ins' addresses end with, as `FILM_SERVICE_URL` and `BEER_SERVICE_URL` want them. */
const basePaths: Readonly<Record<string, string>> = { 'film-standin': '/api', 'beer-standin': '/v2' }

function tableRows({ processes, notReady }: SummarisedSystem, config: LocalConfig, url: string): TableRow[] {
  const rows = processes.map(({ status: { name, port, state, pid } }) => {
    const address = name === 'embedded-kafka' ? `127.0.0.1:${port}` : `http://127.0.0.1:${port}${basePaths[name] ?? ''}`
    return { service: name, url: port === undefined ? '' : address, state: toldState({ name, state }, notReady), pid }
  })
  const platform = processes.find(({ name }) => name === 'event-platform')?.status
  return [
    { service: 'gateway', url, state: 'ready', pid: process.pid },
    ...rows,
    {
      service: 'resource API',
      url: resourceApi(config),
      state: platform ? toldState(platform, notReady) : 'stopped',
      pid: platform?.pid,
    },
  ]
}
