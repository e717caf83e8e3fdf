import type { IncomingMessage, ServerResponse } from 'node:http'
import { visible } from '@taproom/core/lines'
import { type Attributes, type Span, type TraceIds, type Tracing, tracing } from '@taproom/core/spans'
import { pathOf, type RoutedRequest, spanOf, tracedBy } from '@taproom/http'
import { addressOf } from './client-address.ts'

/**
 * Methods with series and span names of their own; otherwise a client could create thirty for every path, with all the methods that Node
 * knows.
 */
export const REQUEST_METHODS: ReadonlySet<string> = new Set('GET HEAD POST PUT PATCH DELETE OPTIONS'.split(' '))

/** Characters shown of a path and of a client's name for itself. */
const MAX_TEXT = 300

export interface ServerSpanOptions {
  readonly scheme: 'http' | 'https'
  /** Paths whose requests begin no trace, with all below them. */
  readonly untracedPaths: readonly string[]
}

/**
 * Begins the span of a request, by the semantic conventions for HTTP servers; it ends with the answer. It continues the trace of the
 * request's `traceparent`. Of the target it has the path alone: queries, headers and bodies may hold secrets. Undefined for management's
 * requests without a trace.
 */
export function beginServerSpan(
  traces: Tracing,
  req: IncomingMessage,
  res: ServerResponse,
  { scheme, untracedPaths }: ServerSpanOptions,
): Span | undefined {
  const path = pathOf(req.url)
  const parent = traces.extract(req.headers)
  if (!parent.isTraced && isBelow(path, untracedPaths)) return undefined
  const method = methodOf(req)
  const span = traces.start('@taproom/service', nameOf(method), {
    kind: 'server',
    parent: parent.context,
    attributes: () => requestAttributes(req, method, path, scheme),
  })
  if (span === undefined) return undefined
  tracedBy(res, span)
  if (span.isRecording()) res.on('close', () => endServerSpan(traces, span, req, res))
  return span
}

/** Whether a path is one of the folders, or below one. */
export function isBelow(path: string, folders: readonly string[]): boolean {
  for (const folder of folders) {
    if (path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/')) return true
  }
  return false
}

export function traceOf(res: ServerResponse): TraceIds | undefined {
  const span = spanOf(res)
  return span && tracing()?.ids(span as Span)
}

/** The span gets the code of a problem, and the `id` that the answer and the log have of a 5xx. */
export function noteProblem(res: ServerResponse, id: string | undefined, code: string | undefined): void {
  const span = spanOf(res) as Span | undefined
  if (span === undefined) return
  if (code !== undefined) span.setAttribute('problem.code', code)
  if (id === undefined) return
  span.setAttribute('problem.id', id)
  // Also where the answer's status was sent before, and its rest is missing.
  tracing()?.failed(span, code ?? '500')
}

function methodOf({ method = '' }: IncomingMessage): string {
  return REQUEST_METHODS.has(method) ? method : '_OTHER'
}

/** In a span's name an unknown method is `HTTP`. */
const nameOf = (method: string): string => (method === '_OTHER' ? 'HTTP' : method)

function requestAttributes(req: IncomingMessage, method: string, path: string, scheme: string): Attributes {
  const { headers, httpVersion, socket, method: given } = req
  const { host = '', 'user-agent': agent } = headers
  const { name, port } = hostAttributes(host)
  const attributes: Attributes = {
    'http.request.method': method,
    'url.path': visible(path, MAX_TEXT),
    'url.scheme': scheme,
    'network.protocol.version': httpVersion,
    'network.peer.address': addressOf(socket),
    'server.address': name,
    'server.port': port,
    'user_agent.original': agent && visible(agent, MAX_TEXT),
  }
  if (method === '_OTHER' && given !== undefined) {
    attributes['http.request.method_original'] = visible(given, MAX_TEXT)
  }
  return attributes
}

interface HostAttributes {
  readonly host: string
  readonly name: string | undefined
  readonly port: number | undefined
}

/** The last one: nearly always requests are for the same. */
let lastHost: HostAttributes | undefined

function hostAttributes(host: string): HostAttributes {
  if (lastHost?.host === host) return lastHost
  const [name, port] = hostAndPort(host)
  lastHost = { host, name: name === '' ? undefined : visible(name, MAX_TEXT), port }
  return lastHost
}

function hostAndPort(host: string): readonly [name: string, port: number | undefined] {
  const colon = host.lastIndexOf(':')
  const port = host.slice(colon + 1)
  if (colon === -1 || !/^\d{1,5}$/.test(port)) return [host, undefined]
  return [host.slice(0, colon), Number(port)]
}

function endServerSpan(traces: Tracing, span: Span, req: RoutedRequest, res: ServerResponse): void {
  const route = req.route?.path
  // Where a router is mounted is a part of the caller's path, whose pattern nobody knows any more.
  if (typeof route === 'string' && !req.baseUrl) {
    span.setAttribute('http.route', route)
    span.updateName(`${nameOf(methodOf(req))} ${route}`)
  }
  if (res.headersSent) span.setAttribute('http.response.status_code', res.statusCode)
  else traces.failed(span, 'client_left')
  if (res.headersSent && res.statusCode >= 500) traces.failed(span, String(res.statusCode))
  span.end()
}
