import { once } from 'node:events'
import { chmod, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { ManagedProcess, ProcessStatus } from '../supervisor/managed-process.ts'

/** What can be done to one process. */
export const controlActions = ['start', 'stop', 'restart'] as const
/** The answer to a control request. */
export type ControlAnswer =
  | { readonly services: readonly ProcessStatus[] }
  | { readonly service: ProcessStatus }
  | { readonly error: string }

/**
 * Lets the owner of the state folder list, stop and start the processes of the running system: `GET /services`,
 * `POST /services/{name}/{start|stop|restart}`. The caller holds the state folder's lock, so an old socket is nobody's.
 */
export async function openControl(path: string, processes: readonly ManagedProcess[]): Promise<AsyncDisposable> {
  await rm(path, { force: true })
  const server = createServer((request, response) => {
    request.resume()
    void answer(request, processes).then(({ status, body }) => send(response, status, body))
  })
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

async function answer(
  { method, url }: IncomingMessage,
  processes: readonly ManagedProcess[],
): Promise<{ status: number; body: ControlAnswer }> {
  if (method === 'GET' && url === '/services') {
    return { status: 200, body: { services: processes.map((process) => process.status) } }
  }
  const [, name = '', verb] = /^\/services\/([^/]+)\/([^/]+)$/.exec(url ?? '') ?? []
  const action = controlActions.find((candidate) => candidate === verb)
  if (method !== 'POST' || action === undefined) return { status: 404, body: { error: 'no such request' } }
  const process = processes.find((candidate) => candidate.name === name)
  if (!process) {
    const names = processes.map((candidate) => candidate.name).join(', ')
    return { status: 404, body: { error: `there is no service ${name}: expected one of ${names}` } }
  }
  try {
    if (action !== 'start') await process.stop()
    if (action !== 'stop') await process.start()
    return { status: 200, body: { service: process.status } }
  } catch (error) {
    return { status: 500, body: { error: error instanceof Error ? error.message : String(error) } }
  }
}

function send(response: ServerResponse, status: number, body: ControlAnswer): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
