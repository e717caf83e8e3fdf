import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rename, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { atMost } from '@taproom/core/time'
import type { Env } from '@taproom/service'
import { consolePagePath } from '../state/state-folder.ts'

export interface BrowserOptions {
  readonly env: Env
  readonly stateDir: string
  /** Default: that of this machine. */
  readonly platform?: NodeJS.Platform
}

/** A program that fails to open a browser says so sooner; one that has opened it may run as long as that. Milliseconds. */
const FAILS_WITHIN_MS = 2000

/**
 * Opens an address in the browser of the person at this machine; false when there is no display, or no browser. The address has a secret,
 * and command lines can be read by other users of the machine: so the browser gets a page in the state folder, which leads to the address.
 */
export async function openInBrowser(address: string, options: BrowserOptions): Promise<boolean> {
  const { env, stateDir, platform = process.platform } = options
  const command = opener(platform, env)
  if (command === undefined) return false
  const page = consolePagePath(stateDir)
  // `pnpm console` and the key may write it at the same time. Created, not overwritten: so it gets this mode and is not a link.
  const draft = `${page}.${randomUUID()}`
  await writeFile(draft, leadingTo(address), { mode: 0o600, flag: 'wx' })
  await rename(draft, page)
  const [program, ...args] = [...command, pathToFileURL(page).href]
  const child = spawn(program, args, { detached: true, stdio: 'ignore', env: env as NodeJS.ProcessEnv })
  child.unref()
  const ended = once(child, 'exit').then(
    ([code]) => code === 0,
    () => false,
  )
  return (await atMost(ended, FAILS_WITHIN_MS)) ?? true
}

/** The program that opens an address, and its arguments before the address; undefined where no browser can be seen. */
function opener(platform: NodeJS.Platform, env: Env): readonly [string, ...string[]] | undefined {
  if (platform === 'darwin' || platform === 'win32') {
    if (env['SSH_CONNECTION'] !== undefined) return undefined
    return platform === 'darwin' ? ['open'] : ['cmd', '/c', 'start', '']
  }
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : undefined
}

function leadingTo(address: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${address}">
<title>Taproom</title>
<a href="${address}">Open the console</a>
`
}
