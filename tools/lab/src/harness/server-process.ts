import type { AddressInfo, Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import { endingWithParent, type NodeProcess, startNode } from '@taproom/processes'
import { nodeOnCore, SERVER_CORE } from './cores.ts'

const STOP_LIMIT_MS = 30_000

/** A server in its own process, on its own core. */
export interface ServerProcess extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  readonly ask: NodeProcess['ask']
}

/**
 * Starts a server and waits for its ready line: JSON with `port`, and a `msg` that ends in `ready`.
 *
 * @throws {Error} when it ends before that
 */
export async function startServer(
  main: URL,
  options: {
    readonly args?: readonly string[]
    /** Arguments of Node, before the file. */
    readonly nodeArgs?: readonly string[]
    readonly env?: Readonly<Record<string, string>>
    /** False: on any core, for servers that are measured together by the clock. Default true. */
    readonly isPinned?: boolean
    /** Where it is pinned to. Default: the core of the measured server. */
    readonly core?: number
    readonly hasChannel?: boolean
  } = {},
): Promise<ServerProcess> {
  const child = startNode({
    args: [...(options.nodeArgs ?? []), ...endingWithParent(fileURLToPath(main)), ...(options.args ?? [])],
    env: { ...options.env, PORT: '0', HOST: '127.0.0.1', NODE_ENV: 'production' },
    stderr: 'inherit',
    hasChannel: options.hasChannel ?? false,
    ...(options.isPinned !== false && { command: nodeOnCore(options.core ?? SERVER_CORE) }),
  })
  const { port } = await child.ready
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    ask: child.ask,
    [Symbol.asyncDispose]: async () => void (await child.stop(STOP_LIMIT_MS)),
  }
}

/** Writes the line that {@link startServer} waits for, in a server without a logger. */
export function writeReady(port: number): void {
  process.stdout.write(`${JSON.stringify({ msg: 'ready', port })}\n`)
}

/** Listens on a free port, and says so. */
export function listenReady(server: Server): void {
  server.listen(0, '127.0.0.1', () => writeReady((server.address() as AddressInfo).port))
}
