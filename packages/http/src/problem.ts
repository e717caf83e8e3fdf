import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http'
import { safeJson } from '@taproom/core/lines'

/** The media type of a problem (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json'

/** A problem (RFC 9457) for the caller. */
export interface Problem {
  readonly status: number
  /** Default: the status code's own name. */
  readonly title?: string | undefined
  /** What was wrong with the request and what to do about it. */
  readonly detail?: string | undefined
  /** Extension members (RFC 9457, section 3.2). */
  readonly members?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<OutgoingHttpHeaders>
}

/** Headers and body of a problem. It is not cacheable; a 404 or 405 would be by default (RFC 9110, section 15.1). */
export function problemAnswer(problem: Problem): { readonly headers: OutgoingHttpHeaders; readonly body: string } {
  const { status, title = STATUS_CODES[status] ?? 'Error', detail, members } = problem
  const body = safeJson(JSON.stringify({ type: 'about:blank', title, status, detail, ...members }))
  const headers = {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...problem.headers,
    'Content-Type': PROBLEM_TYPE,
    'Content-Length': Buffer.byteLength(body),
  }
  return { headers, body }
}

const SPAN = Symbol('span')

/** The part of OpenTelemetry's span that names its trace. */
export interface InTrace {
  spanContext(): { readonly traceId: string; readonly spanId: string; readonly traceFlags: number }
}

/** Remembers the span of an answer: a problem then has its trace's id as `trace_id`. */
export function tracedBy(res: ServerResponse, span: InTrace): void {
  // A property, because an entry of a WeakMap costs the garbage collector more than the whole request.
  ;(res as ServerResponse & { [SPAN]?: InTrace })[SPAN] = span
}

/** The span given to {@link tracedBy}. */
export function spanOf(res: ServerResponse): InTrace | undefined {
  return (res as ServerResponse & { [SPAN]?: InTrace })[SPAN]
}

/** Answers with a problem, HEAD without its body. Its members end with the `trace_id`, if there is one. */
export function sendProblem(res: ServerResponse, problem: Problem): void {
  const traceId = spanOf(res)?.spanContext().traceId
  const { headers, body } = problemAnswer(
    traceId === undefined ? problem : { ...problem, members: { ...problem.members, trace_id: traceId } },
  )
  // `setHeader` replaces a header set before, however its name was spelled.
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.setHeader(name, value)
  res.statusCode = problem.status
  // Else one that a handler has set before it failed would stay.
  res.statusMessage = ''
  res.end(body)
}

/** The last handler of a route: answers any other method with 405 and lists `allow` in `Allow`. */
export function methodNotAllowed(...allow: readonly string[]): (req: IncomingMessage, res: ServerResponse) => void {
  const Allow = allow.join(', ')
  return (req, res) => {
    const detail = `${req.method} is not allowed here; allowed: ${Allow}`
    sendProblem(res, { status: 405, detail, headers: { Allow } })
  }
}
