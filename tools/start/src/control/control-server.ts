import { once } from 'node:events'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { dirname } from 'node:path'
import { reasonOf } from '@taproom/core/lines'
import { ConfigError } from '@taproom/service'
import { sharedBecause } from '../state/private-folder.ts'
import { CONTROL_ACTIONS, type ControlAction, type ControlAnswer, type ControlDeps } from './control-answers.ts'
import { act, type ConfigurationOf, createConfigurationOf, shownStatuses } from './controlled-process.ts'
import { followChanges, sendLines } from './line-stream.ts'
import { followSinkInstances, type SinkInstances } from './sink-instances.ts'

/**
 * Lets the owner of the state folder list, stop and start the processes of the running system, and read what they write; the requests are in
 * this package's README. The caller holds the state folder's lock, so a socket that is there already is stale.
 *
 * @throws {ConfigError} when other users may write to the socket's folder
 */
export async function openControl(path: string, given: ControlDeps): Promise<AsyncDisposable> {
  const sinks = followSinkInstances(given)
  const deps = { ...given, configurationOf: createConfigurationOf(), sinks }
  await makePrivateFolder(dirname(path))
  await rm(path, { force: true })
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
    request.resume()
    void answer(request, response, deps)
      .catch((error: unknown) => ({ status: 500, body: { error: reasonOf(error) } }))
      .then((answered) => answered && send(response, answered.status, answered.body))
  })
  server.maxConnections = MAX_CONNECTIONS
  server.listen(path)
  await once(server, 'listening')
  await chmod(path, 0o600)
  return {
    async [Symbol.asyncDispose]() {
      sinks[Symbol.dispose]()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Each `pnpm service` takes one, the console a few. */
const MAX_CONNECTIONS = 32
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

type AnswerDeps = ControlDeps & { readonly configurationOf: ConfigurationOf; readonly sinks: SinkInstances }

interface Answered {
  readonly status: number
  readonly body: ControlAnswer
}

/** Undefined when the answer is a stream, which has begun. */
async function answer(
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
  deps: AnswerDeps,
): Promise<Answered | undefined> {
  const [path = '', query = ''] = url.split('?', 2)
  if (method === 'GET') {
    switch (path) {
      case '/system':
        return { status: 200, body: { system: deps.facts } }
      case '/services':
        return { status: 200, body: { services: await shownStatuses(deps.processes, deps) } }
      case '/logs':
        return sendLines(response, new URLSearchParams(query), deps.logs)
      case '/changes':
        return followChanges(response, deps)
    }
  }
  return await answerFor({ method, path }, deps)
}

async function answerFor(
  { method, path }: { readonly method: string | undefined; readonly path: string },
  deps: AnswerDeps,
): Promise<Answered> {
  const [, encoded = '', verb] = /^\/services\/([^/]+)\/([^/]+)$/.exec(path) ?? []
  const action = CONTROL_ACTIONS.find((candidate) => candidate === verb)
  const isConfiguration = method === 'GET' && verb === 'configuration'
  if (!isConfiguration && (method !== 'POST' || action === undefined)) {
    return { status: 404, body: { error: 'no such request' } }
  }
  const name = decoded(encoded)
  const found = deps.processes.find(({ process }) => process.name === name)
  if (found === undefined) return endSink(name, action, deps)
  if (action === undefined) return { status: 200, body: { variables: await deps.configurationOf(found) } }
  const refusal = await act(found.process, action)
  if (refusal !== undefined) return { status: 409, body: { error: refusal } }
  const [service] = await shownStatuses([found], deps)
  return service === undefined ? { status: 500, body: { error: 'it is gone' } } : { status: 200, body: { service } }
}

function endSink(name: string, action: ControlAction | undefined, { processes, sinks }: AnswerDeps): Answered {
  const ended = action && sinks.end(name, action)
  if (ended !== undefined && 'refusal' in ended) return { status: 409, body: { error: ended.refusal } }
  if (ended !== undefined) return { status: 200, body: { sink: ended } }
  const names = [...processes.map(({ process }) => process.name), ...sinks.names()].join(', ')
  const why = `there is no service ${name}, nor a sink of which an instance runs`
  return { status: 404, body: { error: `${why}: expected one of ${names}` } }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function send(response: ServerResponse, status: number, body: ControlAnswer): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
