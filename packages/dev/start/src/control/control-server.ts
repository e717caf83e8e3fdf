import { once } from 'node:events'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { dirname } from 'node:path'
import { reasonOf } from '@taproom/lines'
import { ConfigError } from '@taproom/service'
import { sharedBecause } from '../state/private-folder.ts'
import { type ManagedProcess, type ProcessStatus, type ShownState, shownState } from '../supervisor/managed-process.ts'

export const CONTROL_ACTIONS = ['start', 'stop', 'restart'] as const
/** A process and its state as people see it. */
export type ShownStatus = Omit<ProcessStatus, 'state'> & { readonly state: ShownState }
export type ControlAnswer =
  | { readonly services: readonly ShownStatus[] }
  | { readonly service: ShownStatus }
  | { readonly error: string }

export interface ControlDeps {
  readonly processes: readonly ManagedProcess[]
  /** Names of the readiness checks that are DOWN at these processes; a process that is not ready is among them by its own name. */
  askNotReady(names: readonly string[]): Promise<readonly string[]>
}

/**
 * Lets the owner of the state folder list, stop and start the processes of the running system: `GET /services`,
 * `POST /services/{name}/{start|stop|restart}`. The caller holds the state folder's lock, so a socket that is there already is stale.
 *
 * @throws {ConfigError} when other users may write to the socket's folder
 */
export async function openControl(path: string, deps: ControlDeps): Promise<AsyncDisposable> {
  await makePrivateFolder(dirname(path))
  await rm(path, { force: true })
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
    request.resume()
    void answer(request, deps)
      .catch((error: unknown) => ({ status: 500, body: { error: reasonOf(error) } }))
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

/** Each `pnpm service` takes one. */
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
  { processes, askNotReady }: ControlDeps,
): Promise<{ status: number; body: ControlAnswer }> {
  if (method === 'GET' && url === '/services') {
    return { status: 200, body: { services: await shownStatuses(processes, askNotReady) } }
  }
  const [, name = '', verb] = /^\/services\/([^/]+)\/([^/]+)$/.exec(url ?? '') ?? []
  const action = CONTROL_ACTIONS.find((candidate) => candidate === verb)
  if (method !== 'POST' || action === undefined) return { status: 404, body: { error: 'no such request' } }
  const process = processes.find((candidate) => candidate.name === name)
  if (!process) {
    const names = processes.map((candidate) => candidate.name).join(', ')
    return { status: 404, body: { error: `there is no service ${name}: expected one of ${names}` } }
  }
  if (action !== 'start') await process.stop()
  if (action !== 'stop') await process.start()
  const [service = process.status] = await shownStatuses([process], askNotReady)
  return { status: 200, body: { service } }
}

async function shownStatuses(
  processes: readonly ManagedProcess[],
  askNotReady: ControlDeps['askNotReady'],
): Promise<ShownStatus[]> {
  const down = await askNotReady(processes.map(({ name }) => name))
  return processes.map(({ status }) => ({ ...status, state: shownState(status, down) }))
}

function send(response: ServerResponse, status: number, body: ControlAnswer): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
