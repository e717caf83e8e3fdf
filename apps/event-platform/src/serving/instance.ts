import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { visible } from '@taproom/lines'
import { endingWithParent, startNode } from '@taproom/processes'

/** One running copy of an app. */
export interface Instance {
  readonly pid: number | undefined
  /** Where it answers, once it does; rejects when it ends before that. */
  readonly ready: Promise<{ readonly url: string }>
  /** How it ended. Never rejects. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>
  /** Asks it to end and ends it by force after `graceMs`. Resolves when it has ended. */
  stop(graceMs: number): Promise<unknown>
}

/** What to run, and where its lines go. */
export interface InstanceOptions {
  readonly app: string
  readonly folder: string
  /** The file that runs it: TypeScript sources, compiled JavaScript, or a bundle (`.cjs`). */
  readonly main: string
  /** Beside `PORT` and `HOST`, which are given by this function. */
  readonly env: Readonly<Record<string, string>>
  readonly output: Writable
}

/**
 * Where Node keeps what it compiled, in the app's folder: from its second start on an app is there in half the time. Entries are
 * found by the content of a file, so that a changed one is compiled anew; a folder that cannot be written to costs nothing but the time.
 */
const COMPILE_CACHE = 'node_modules/.cache/compile'

const HOST = '127.0.0.1'

/**
 * Starts an app on a free port; what it writes is passed on line by line, unchanged but for escapes of what a terminal would obey. One that
 * the system does not let start is one that has ended.
 */
export function startInstance({ app, folder, main, env, output }: InstanceOptions): Instance {
  const child = startNode({
    name: app,
    args: endingWithParent(main),
    cwd: folder,
    env: { NODE_COMPILE_CACHE: join(folder, COMPILE_CACHE), ...env, PORT: '0', HOST },
    onLine: (line) => output.write(`${line}\n`),
    lines: { show: visible },
  })
  const ready = child.ready.then(({ port }) => ({ url: `http://${HOST}:${port}` }))
  ready.catch(() => {
    // Whoever waits for readiness gets the error; nobody has to.
  })
  const exited = child.ended.then(({ code, signal }) => ({ code, signal }))
  return { pid: child.pid, ready, exited, stop: (graceMs) => child.stop(graceMs) }
}
