import { fileURLToPath } from 'node:url'
import { endingWithParent, startNode } from '@taproom/processes'
import { type Contender, perCpuSecond } from './contender.ts'
import { LOAD_CORE, nodeOnCore } from './cores.ts'
import type { ServerProcess } from './server-process.ts'

export interface LoadRequest {
  readonly url: string
  /** For GET: values of the Authorization header, sent in turn. */
  readonly authorizations?: readonly string[]
  /** For POST: the same every time. */
  readonly post?: { readonly headers: Readonly<Record<string, string>>; readonly body: string }
  readonly seconds: number
  /** The content that all answers must have. Default: any. */
  readonly expected?: string
  /** Requests under way, each on its connection. Default 64. */
  readonly connections?: number
}

export interface LoadReport {
  readonly answered: number
  readonly failed: number
  /** The longest time of the fastest 99 of 100 answers. */
  readonly p99Ms: number
}

type PathRequest = Omit<LoadRequest, 'url'> & { readonly path: string }

export interface Load extends AsyncDisposable {
  /** Requests that `server` answers in a second of its own CPU time, or of the clock where that is not known. */
  contender(name: string, server: ServerProcess, request: PathRequest): Contender
  /** Sends requests and says how they were answered. @throws {Error} when one was not, or not well */
  run(name: string, server: Pick<ServerProcess, 'url'>, request: PathRequest): Promise<LoadReport>
}

export function startLoad(): Load {
  const child = startNode({
    name: 'the load generator',
    args: endingWithParent(fileURLToPath(new URL('./http-load-main.ts', import.meta.url))),
    env: {},
    stdout: 'inherit',
    stderr: 'inherit',
    hasChannel: true,
    command: nodeOnCore(LOAD_CORE),
  })

  const run: Load['run'] = async (name, server, { path, ...request }) => {
    const report = await child.ask<LoadReport>({ ...request, url: server.url + path })
    const { answered, failed } = report
    if (failed > 0 || answered === 0)
      throw new Error(`${name}: ${failed} of ${failed + answered} requests failed, or were answered otherwise`)
    return report
  }

  return {
    run,
    contender: (name, server, request) =>
      perCpuSecond(name, [server.pid], async () => (await run(name, server, request)).answered),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}
