import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { parseServiceLine, visible } from '@taproom/core/lines'
import { endingWithParent, FEW_ARENAS, type NodeProcess, SMALL_HEAP, startNode } from '@taproom/processes'

export type Instance = Pick<NodeProcess, 'pid' | 'ready' | 'ended' | 'stop'>

export interface InstanceOptions {
  readonly app: string
  readonly folder: string
  /** TypeScript sources, compiled JavaScript, or a bundle (`.cjs`). */
  readonly main: string
  /** `PORT` and `HOST` are added. */
  readonly env: Readonly<Record<string, string>>
  readonly output: Writable
}

/** The beginning of each line of a service's logger; such a line may be as long as an event, and is not parsed. */
const HAS_OWNER = /^\{(?:"(?:level|time)":(?:"[^"\\]*"|\d+),)*"service":"/

/**
 * Node's compile cache in the app's folder halves the start-up time from the second start on. Keyed by content, so changed files are
 * compiled again; a read-only folder only costs time.
 */
const COMPILE_CACHE = 'node_modules/.cache/compile'

const HOST = '127.0.0.1'

/**
 * Starts an app on a free port. Passes its output on line by line as JSON objects that have the app as `service`, with terminal control
 * characters escaped. A failed start counts as an instance that has ended.
 */
export function startInstance({ app, folder, main, env, output }: InstanceOptions): Instance {
  return startNode({
    name: app,
    args: [...SMALL_HEAP, ...endingWithParent(main)],
    cwd: folder,
    env: { NODE_COMPILE_CACHE: join(folder, COMPILE_CACHE), ...FEW_ARENAS, ...env, PORT: '0', HOST },
    onLine: (line, source) =>
      output.write(`${HAS_OWNER.test(line) ? line : parseServiceLine(app, source, line).json}\n`),
    lines: { show: visible },
  })
}

/** The root of an instance that listens on a port. */
export function instanceUrl(port: number): URL {
  return new URL(`http://${HOST}:${port}`)
}
