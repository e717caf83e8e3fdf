import { request } from 'node:http'
import { connect } from 'node:net'
import { listen } from '@taproom/service'
import type { GuardOptions } from '../src/kube/guard.ts'
import { createKubeApp } from '../src/kube/kube-app.ts'
import { ResourceStore } from '../src/resources/resource-store.ts'
import { type Answer, send } from './event-requests.ts'

export const BROKERS = '/apis/eventing.knative.dev/v1/namespaces/default/brokers'
export const TRIGGERS = '/apis/eventing.knative.dev/v1/namespaces/default/triggers'

/** The resource API on a port of its own, with a store that nothing else reads. */
export interface KubeApi extends AsyncDisposable {
  readonly url: string
  readonly store: ResourceStore
  /** Errors it has logged. */
  readonly errors: readonly object[]
  /** Sends a request, as JSON unless its headers say otherwise; `body` is the answer's, parsed. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
    // biome-ignore lint/suspicious/noExplicitAny: what is in an answer is for the test to say.
  ): Promise<Omit<Answer, 'body'> & { readonly body: any }>
  /** Follows a watch; gives its lines as they come. */
  watch(path: string, headers?: Readonly<Record<string, string>>): Followed
  /** Sends bytes as they are, later ones when they come, and gives the answer once the connection has ended. */
  raw(text: string, later?: Promise<string>): Promise<string>
}

interface Followed extends Disposable {
  readonly lines: readonly { readonly type: string; readonly object: Readonly<Record<string, unknown>> }[]
}

/** Starts the resource API, by default for this machine. */
export async function startKubeApi(access?: GuardOptions): Promise<KubeApi> {
  const store = new ResourceStore()
  store.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } })
  const errors: object[] = []
  const shutdown = new AbortController()
  const log = { error: (fields: object) => void errors.push(fields) }
  const app = createKubeApp({ store, log, shutdown: shutdown.signal, ...(access && { access }) })
  const server = await listen(app, { host: '127.0.0.1', port: 0, drainMs: 100 })
  return {
    url: server.url,
    store,
    errors,
    async call(method, path, body, headers = {}) {
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
      // Node would not say how long the body of a DELETE is.
      const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) }
      const answer = await send(`${server.url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...length, ...headers },
        ...(text !== undefined && { body: text }),
      })
      return { ...answer, body: answer.body === '' ? undefined : JSON.parse(answer.body) }
    },
    watch(path, headers = {}) {
      const lines: Followed['lines'][number][] = []
      const watching = request(`${server.url}${path}`, { headers, agent: false }, (response) => {
        response.setEncoding('utf8')
        response.on('data', (text: string) => {
          for (const line of text.split('\n').filter(Boolean)) lines.push(JSON.parse(line))
        })
      })
      watching.on('error', () => {})
      watching.end()
      return { lines, [Symbol.dispose]: () => void watching.destroy() }
    },
    raw: (text, later) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(server.port, '127.0.0.1', () => socket.write(text))
        let answer = ''
        socket.on('data', (chunk) => {
          answer += chunk.toString()
        })
        socket.on('error', reject)
        socket.on('close', () => resolve(answer))
        later?.then((rest) => socket.write(rest), reject)
      }),
    async [Symbol.asyncDispose]() {
      shutdown.abort()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** A trigger that a store takes. */
export const makeTrigger = (name: string, { type = 'greeting', labels = {}, spec = {} } = {}) => ({
  apiVersion: 'eventing.knative.dev/v1',
  kind: 'Trigger',
  metadata: { name, labels },
  spec: { broker: 'default', filter: { attributes: { type } }, subscriber: { uri: 'http://s.example' }, ...spec },
})

/** A broker with any name and any config. */
export function makeBroker(name: unknown, config: unknown = {}) {
  return { apiVersion: 'eventing.knative.dev/v1', kind: 'Broker', metadata: { name }, spec: { config } }
}
