import { accessSync, constants } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import type { Env } from '@taproom/service'
import { hasDevelopmentKey, type StartConfig } from '../config.ts'
import type { SystemOptions } from './system-options.ts'

/** Address of the resource API; undefined for a system without one. */
export function resourceApi({ kubePort }: StartConfig): string | undefined {
  return kubePort === undefined ? undefined : `http://127.0.0.1:${kubePort}`
}

/** Commands that show what the system does. */
export function tryLines(
  url: string,
  { system, config, env }: Pick<SystemOptions, 'system' | 'config' | 'env'>,
): readonly string[] {
  const pnpm = hasPnpm(env) ? 'pnpm' : 'npx -y pnpm@12'
  const state = env['TAPROOM_STATE_DIR'] ? `TAPROOM_STATE_DIR='${config.stateDir.replaceAll("'", "'\\''")}' ` : ''
  const token = hasDevelopmentKey(config)
    ? `$(${state}${pnpm} --silent run token --groups Subscriber --user duke)`
    : '$TOKEN'
  return system.tryIt(url, token)
}

/** Whether `pnpm` can be typed in a terminal; one that npx fetched for this run, or that a script's PATH adds, cannot. */
function hasPnpm(env: Env): boolean {
  const folders = (env['PATH'] ?? '').split(delimiter)
  return folders.some((folder) => {
    if (folder.includes(`${sep}_npx${sep}`) || folder.includes('node_modules')) return false
    try {
      accessSync(join(folder, 'pnpm'), constants.X_OK)
      return true
    } catch {
      return false // Maybe in the next folder.
    }
  })
}
