import { accessSync, constants } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import type { Env } from '@taproom/service'
import type { LocalConfig } from '../config.ts'
import type { ReadySummary, TableRow } from '../output/start-report.ts'
import type { ProcessStatus } from '../supervisor/managed-process.ts'
import type { System } from './system.ts'

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
    return { service: name, url: port === undefined ? '' : address, state: stateOf({ name, state }, notReady), pid }
  })
  const platform = processes.find(({ name }) => name === 'event-platform')?.status
  const resourceApi = `http://127.0.0.1:${config.ports.kube}`
  return [
    { service: 'gateway', url, state: 'ready', pid: process.pid },
    ...rows,
    {
      service: 'resource API',
      url: resourceApi,
      state: platform ? stateOf(platform, notReady) : 'stopped',
      pid: platform?.pid,
    },
  ]
}

/** A process that runs is `not ready` while its readiness is DOWN, whose report bears its name. */
function stateOf({ name, state }: Pick<ProcessStatus, 'name' | 'state'>, notReady: readonly string[]): string {
  return state === 'ready' && notReady.includes(name) ? 'not ready' : state
}

function tryLines(url: string, config: LocalConfig, env: Env): string[] {
  const pnpm = hasPnpm(env) ? 'pnpm' : 'npx -y pnpm@12'
  const state = env['TAPROOM_STATE_DIR'] ? `TAPROOM_STATE_DIR='${config.stateDir}' ` : ''
  const token = config.embedded.keys ? `$(${state}${pnpm} -s run token --groups Subscriber --user duke)` : '$TOKEN'
  return [
    `curl -H "Authorization: Bearer ${token}" ${url}/secure/claim`,
    `curl '${url}/movie?year=1980'`,
    `curl -N ${url}/beer`,
    `curl -i -X POST ${url}/brokers/default/default -H 'Content-Type: application/json' -H 'Ce-Id: 1' -H 'Ce-Specversion: 1.0' -H 'Ce-Type: greeting' -H 'Ce-Source: terminal' -d '{"message":"hello"}'`,
  ]
}

/** Whether the person can type `pnpm`: one that npx fetched for this run only, or that a script's PATH adds, does not count. */
function hasPnpm(env: Env): boolean {
  const folders = (env['PATH'] ?? '').split(delimiter)
  return folders.some((folder) => {
    if (folder.includes(`${sep}_npx${sep}`) || folder.includes('node_modules')) return false
    try {
      accessSync(join(folder, 'pnpm'), constants.X_OK)
      return true
    } catch {
      // Not here; looked for in the next folder.
      return false
    }
  })
}
