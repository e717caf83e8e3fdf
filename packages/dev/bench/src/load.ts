import { fileURLToPath } from 'node:url'
import { endingWithParent, startNode } from '@taproom/processes'
import type { Contender } from './area.ts'
import { LOAD_CORE, nodeOnCore } from './cores.ts'
import type { ServerProcess } from './server-process.ts'
import { startStopwatch } from './stopwatch.ts'

export interface LoadRequest {
  readonly url: string
  /** For GET: values of the Authorization header, sent in turn. */
  readonly authorizations?: readonly string[]
  /** For POST: the same every time. */
  readonly post?: { readonly headers: Readonly<Record<string, string>>; readonly body: string }
  readonly seconds: number
}

export interface LoadReport {
  readonly answered: number
  readonly failed: number
}

export interface Load extends AsyncDisposable {
  /** Requests that `server` answers in a second of its own CPU time, or of the clock where that is not known. */
  contender(
    name: string,
    server: ServerProcess,
    request: Omit<LoadRequest, 'url'> & { readonly path: string },
  ): Contender
}

export function startLoad(): Load {
  const child = startNode({
    name: 'the load generator',
    args: endingWithParent(fileURLToPath(new URL('./load-main.ts', import.meta.url))),
    env: {},
    stdout: 'inherit',
    stderr: 'inherit',
    hasChannel: true,
    command: nodeOnCore(LOAD_CORE),
  })

  return {
    contender: (name, server, { path, ...request }) => ({
      name,
      async measure() {
        const stopwatch = startStopwatch(server.pid)
        const { answered, failed } = await child.ask<LoadReport>({ ...request, url: server.url + path })
        const seconds = stopwatch()
        if (failed > 0 || answered === 0) throw new Error(`${name}: ${failed} of ${failed + answered} requests failed`)
        return answered / seconds
      },
    }),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}
