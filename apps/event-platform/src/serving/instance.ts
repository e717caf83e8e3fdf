import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { visible } from '@taproom/core/lines'
import { endingWithParent, FEW_ARENAS, SMALL_HEAP, startNode } from '@taproom/processes'

export interface Instance {
  readonly pid: number | undefined
  /** Rejects when it ends before it is ready. */
  readonly ready: Promise<{ readonly url: string }>
  /** Never rejects. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>
  /** Ends it, by force after `graceMs`. Resolves when it has ended. */
  stop(graceMs: number): Promise<unknown>
}

export interface InstanceOptions {
  readonly app: string
  readonly folder: string
  /** TypeScript sources, compiled JavaScript, or a bundle (`.cjs`). */
  readonly main: string
  /** `PORT` and `HOST` are added. */
  readonly env: Readonly<Record<string, string>>
  readonly output: Writable
}

/**
 * Node's compile cache in the app's folder halves the start-up time from the second start on. Keyed by content, so changed files are
 * compiled again; a read-only folder only costs time.
 */
const COMPILE_CACHE = 'node_modules/.cache/compile'

const HOST = '127.0.0.1'

/**
 * Starts an app on a free port. Passes its output on line by line, with terminal control characters escaped. A failed start counts as an
 * instance that has ended.
 */
export function startInstance({ app, folder, main, env, output }: InstanceOptions): Instance {
  const child = startNode({
    name: app,
    args: [...SMALL_HEAP, ...endingWithParent(main)],
    cwd: folder,
    env: { NODE_COMPILE_CACHE: join(folder, COMPILE_CACHE), ...FEW_ARENAS, ...env, PORT: '0', HOST },
    onLine: (line) => output.write(`${line}\n`),
    lines: { show: visible },
  })
  const ready = child.ready.then(({ port }) => ({ url: `http://${HOST}:${port}` }))
  ready.catch(() => {
    // Callers that wait for `ready` get the error.
  })
  const exited = child.ended.then(({ code, signal }) => ({ code, signal }))
  return { pid: child.pid, ready, exited, stop: (graceMs) => child.stop(graceMs) }
}
