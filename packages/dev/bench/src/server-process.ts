import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { nodeOnAnyCore, nodeOnCore, SERVER_CORE } from './cores.ts'

/** A server in a process of its own, on its own core. */
export interface ServerProcess extends AsyncDisposable {
  readonly url: string
  readonly pid: number
}

/**
 * Starts a server and waits for the line on which it tells its port: JSON with `port`, and a `msg` that ends in `ready`.
 *
 * @throws Error when it ends before that
 */
export async function startServer(
  main: URL,
  options: {
    readonly args?: readonly string[]
    readonly env?: Readonly<Record<string, string>>
    /** False: on any core, for what is measured by the clock together with others. Default true. */
    readonly isPinned?: boolean
  } = {},
): Promise<ServerProcess> {
  const script = [fileURLToPath(main), ...(options.args ?? [])]
  const { command, args } = options.isPinned === false ? nodeOnAnyCore(script) : nodeOnCore(SERVER_CORE, script)
  const env = { ...options.env, PORT: '0', HOST: '127.0.0.1', NODE_ENV: 'production' }
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg, port }: { msg?: string; port?: number } = JSON.parse(line)
    if (msg?.endsWith('ready') !== true || port === undefined || child.pid === undefined) continue
    child.stdout.resume()
    return {
      url: `http://127.0.0.1:${port}`,
      pid: child.pid,
      async [Symbol.asyncDispose]() {
        child.kill()
        await exited
      },
    }
  }
  throw new Error(`${main.pathname} ended before it was ready`)
}

/** What {@link startServer} waits for, from a server without a logger. */
export function tellReady(port: number): void {
  process.stdout.write(`${JSON.stringify({ msg: 'ready', port })}\n`)
}
