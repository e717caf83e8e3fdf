import type { IncomingMessage, ServerResponse } from 'node:http'
import { STATUS_CODES } from 'node:http'
import { createLogWindow, visible } from '@taproom/core/lines'
import { type Problem, sendProblem } from '@taproom/http'
import type { Logger } from '../logger.ts'
import { shownPath } from '../requests/access-log.ts'
import { REFUSAL_LINES } from '../requests/refusal-log.ts'
import { noteProblem } from '../requests/server-span.ts'

/** Characters shown of a detail: it may repeat what a caller sent. */
const MAX_DETAIL = 2000

export interface ProblemOptions extends Omit<Problem, 'status'> {
  /** Logged for a 5xx, never shown. */
  readonly cause?: unknown
}

/** Thrown by a handler, answered as `application/problem+json` (RFC 9457). */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem'
  readonly code = 'HTTP_PROBLEM'
  readonly status: number
  readonly title: string
  readonly detail: string | undefined
  readonly headers: NonNullable<Problem['headers']>
  readonly members: Readonly<Record<string, unknown>>

  constructor(status: number, options: ProblemOptions = {}) {
    const title = options.title ?? STATUS_CODES[status] ?? 'Error'
    super(options.detail ?? title, { cause: options.cause })
    this.status = status
    this.title = title
    this.detail = options.detail
    this.headers = options.headers ?? {}
    this.members = options.members ?? {}
  }
}

export function notFound(req: IncomingMessage): never {
  throw new HttpProblem(404, { detail: `nothing is found at ${shownPath(req.url)}` })
}

/**
 * The one place where errors become answers. A 4xx shows its own message, up to 2,000 characters and with control characters escaped, because
 * it may repeat what the caller sent. A 5xx shows an id and is logged once with its cause: a 500 with the stack, any other with the stack at
 * debug level only. An error after the first byte destroys the connection, so that a broken answer never looks complete.
 *
 * Of 4xx up to 50 lines of a status and 200 of all are written in ten seconds; one more counts the rest, so that nobody can flood the log.
 */
export function problemHandler(log: Logger) {
  const mayWrite = createLogWindow({
    ...REFUSAL_LINES,
    onLeftOut: (statuses) => log.warn({ statuses }, 'further requests refused'),
  })
  return (error: unknown, req: IncomingMessage, res: ServerResponse, _next?: unknown): void => {
    if (res.destroyed || req.socket.destroyed) return
    const problem = toProblem(error)
    const id = problem.status >= 500 ? crypto.randomUUID() : undefined
    noteProblem(res, id, codeOf(error) ?? codeOf(problem.cause))
    const line = { status: problem.status, method: req.method, path: shownPath(req.url) }
    if (id !== undefined) logFailure(log, { ...line, id }, problem)
    else if (mayWrite(String(problem.status), String(problem.status))) {
      log.info({ ...line, detail: shownDetail(problem) }, 'request refused')
    }

    if (res.headersSent) res.destroy()
    else {
      const { status, title, headers, members } = problem
      sendProblem(res, {
        status,
        title,
        headers,
        detail: shownDetail(problem),
        members: { ...(id && { id }), ...members },
      })
    }
  }
}

/** A 500 is a defect, so its stack is logged. Any other 5xx was foreseen, such as a remote that is away: its stack is for debugging. */
function logFailure(log: Logger, line: object, { status, cause, detail }: HttpProblem): void {
  if (status === 500) log.error({ ...line, err: cause ?? detail }, 'request failed')
  else {
    log.error(
      { ...line, code: codeOf(cause), reason: cause instanceof Error ? cause.message : detail },
      'request failed',
    )
    log.debug({ ...line, err: cause }, 'request failed')
  }
}

/** Of an error that is more than a problem itself. */
function codeOf(error: unknown): string | undefined {
  if (error instanceof HttpProblem || !(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

function shownDetail({ detail }: HttpProblem): string | undefined {
  return detail === undefined ? undefined : visible(detail, MAX_DETAIL)
}

function toProblem(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error
  // Express, its router and body parsers mark mistakes of the caller with a `status` of 4xx (http-errors' convention).
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new HttpProblem(status, { detail: (error as Error).message })
  }
  // Libraries mark so what a later request may not meet: a database that is away, an outbox that is full.
  if (status === 503) return new HttpProblem(503, { headers: { 'Retry-After': '1' }, cause: error })
  return new HttpProblem(500, { detail: 'something went wrong here; the id finds it in the log', cause: error })
}
