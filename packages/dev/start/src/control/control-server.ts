import { once } from 'node:events'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { dirname } from 'node:path'
import { reasonOf } from '@taproom/lines'
import { ConfigError } from '@taproom/service'
import { type ToldState, toldState } from '../output/told-state.ts'
import { sharedBecause } from '../state/private-folder.ts'
import type { ManagedProcess, ProcessStatus } from '../supervisor/managed-process.ts'

/** What can be done to one process. */
export const controlActions = ['start', 'stop', 'restart'] as const
/** A process with the state that people are told. */
export type ToldStatus = Omit<ProcessStatus, 'state'> & { readonly state: ToldState }
/** The answer to a control request. */
export type ControlAnswer =
  | { readonly services: readonly ToldStatus[] }
  | { readonly service: ToldStatus }
  | { readonly error: string }

/** What is controlled. */
export interface ControlOptions {
  readonly processes: readonly ManagedProcess[]
  /** Asks those of these processes that have health: names of the checks that are DOWN, each process's own among them. */
  askNotReady(names: readonly string[]): Promise<readonly string[]>
}

/**
 * Lets the owner of the state folder list, stop and start the processes of the running system: `GET /services`,
 * `POST /services/{name}/{start|stop|restart}`. The caller holds the state folder's lock, so an old socket is nobody's.
 *
 * @throws ConfigError when others may write to the socket's folder
 */
export async function openControl(path: string, options: ControlOptions): Promise<AsyncDisposable> {
  await makePrivateFolder(dirname(path))
  await rm(path, { force: true })
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
    request.resume()
    void answer(request, options)
      .catch((error: unknown) => ({
        status: 500,
        body: { error: reasonOf(error) },
      }))
      .then(({ status, body }) => send(response, status, body))
  })
  server.maxConnections = MAX_CONNECTIONS
  server.listen(path)
  await once(server, 'listening')
  await chmod(path, 0o600)
  return {
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** One for each command of the owner's. */
const MAX_CONNECTIONS = 32
/** How long a request may take to arrive. */
const REQUEST_MS = 5000

async function makePrivateFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const reason = await sharedBecause(folder)
  if (reason !== undefined) throw new ConfigError([`${folder}, where the control socket is to be, ${reason}`])
}

async function answer(
  { method, url }: IncomingMessage,
  { processes, askNotReady }: ControlOptions,
): Promise<{ status: number; body: ControlAnswer }> {
  if (method === 'GET' && url === '/services') {
    return { status: 200, body: { services: await told(processes, askNotReady) } }
  }
  const [, name = '', verb] = /^\/services\/([^/]+)\/([^/]+)$/.exec(url ?? '') ?? []
  const action = controlActions.find((candidate) => candidate === verb)
  if (method !== 'POST' || action === undefined) return { status: 404, body: { error: 'no such request' } }
  const process = processes.find((candidate) => candidate.name === name)
  if (!process) {
    const names = processes.map((candidate) => candidate.name).join(', ')
    return { status: 404, body: { error: `there is no service ${name}: expected one of ${names}` } }
  }
  if (action !== 'start') await process.stop()
  if (action !== 'stop') await process.start()
  const [service = process.status] = await told([process], askNotReady)
  return { status: 200, body: { service } }
}

async function told(
  processes: readonly ManagedProcess[],
  askNotReady: ControlOptions['askNotReady'],
): Promise<ToldStatus[]> {
  const down = await askNotReady(processes.map(({ name }) => name))
  return processes.map(({ status }) => ({ ...status, state: toldState(status, down) }))
}

function send(response: ServerResponse, status: number, body: ControlAnswer): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
