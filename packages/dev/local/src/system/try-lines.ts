import { accessSync, constants } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import type { Env } from '@taproom/service'
import type { LocalConfig } from '../config.ts'

/** Address of event-platform's resource API. */
export function resourceApi({ ports }: LocalConfig): string {
  return `http://127.0.0.1:${ports.kube}`
}

/** Commands that show what the system does. */
export function tryLines(url: string, config: LocalConfig, env: Env): string[] {
  const pnpm = hasPnpm(env) ? 'pnpm' : 'npx -y pnpm@12'
  const state = env['TAPROOM_STATE_DIR'] ? `TAPROOM_STATE_DIR='${config.stateDir.replaceAll("'", "'\\''")}' ` : ''
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
