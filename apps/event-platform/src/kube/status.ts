import type { ErrorRequestHandler, RequestHandler } from 'express'
import { PlatformError } from '../errors.ts'
import type { PlatformLog } from '../log.ts'
import { InvalidObjectError } from '../resources/field-reader.ts'
import { CapacityError } from '../resources/resource-store.ts'

/** Reasons of the Kubernetes API, with their HTTP statuses. */
const CODES = {
  AlreadyExists: 409,
  BadRequest: 400,
  Conflict: 409,
  Expired: 410,
  Forbidden: 403,
  InternalError: 500,
  Invalid: 422,
  MethodNotAllowed: 405,
  NotFound: 404,
  RequestEntityTooLarge: 413,
  TooManyRequests: 429,
  Unauthorized: 401,
  UnsupportedMediaType: 415,
} as const

/** Why the resource API refused a request. */
export type StatusReason = keyof typeof CODES

/** Headers that belong to an answer for a reason. */
const ALWAYS_WITH: Partial<Record<StatusReason, Readonly<Record<string, string>>>> = {
  TooManyRequests: { 'Retry-After': '1' },
  // Not Basic, which is accepted as well: a browser would ask for it, and then send it along with whatever a page makes it send.
  Unauthorized: { 'WWW-Authenticate': 'Bearer realm="resource API"' },
}

/** An answer of the resource API that is no success. */
export class StatusError extends PlatformError {
  override readonly name = 'StatusError'
  readonly code = 'ERR_KUBE_STATUS'
  readonly reason: StatusReason
  readonly details: object | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    reason: StatusReason,
    message: string,
    options: { readonly details?: object; readonly headers?: Readonly<Record<string, string>> } & ErrorOptions = {},
  ) {
    super(message, options)
    this.reason = reason
    this.details = options.details
    this.headers = { ...ALWAYS_WITH[reason], ...options.headers }
  }

  get status(): number {
    return CODES[this.reason]
  }
}

/** A `Status` object of kind Failure. */
export function failure(error: StatusError): object {
  const { message, reason, details, status } = error
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details && { details }),
    code: status,
  }
}

/** What no route answered. */
export const notFound: RequestHandler = () => {
  throw new StatusError('NotFound', 'the server could not find the requested resource')
}

/** Turns errors into `Status` objects; an unexpected one is logged, and answered without its message. */
export function statusHandler(log: Pick<PlatformLog, 'error'>): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const answer = asStatusError(error)
    if (answer.reason === 'InternalError') log.error({ err: error }, 'resource api request failed')
    if (res.headersSent) {
      res.destroy()
      return
    }
    // What is left of a body that nobody reads is not read for the sake of the next request either.
    if (!req.complete) res.set('Connection', 'close')
    res.status(answer.status).set(answer.headers).json(failure(answer))
  }
}

function asStatusError(error: unknown): StatusError {
  if (error instanceof StatusError) return error
  if (error instanceof CapacityError) return new StatusError('Forbidden', error.message)
  if (error instanceof InvalidObjectError) {
    const causes = error.problems.map(({ field, rule }) => ({ reason: 'FieldValueInvalid', message: rule, field }))
    return new StatusError('Invalid', error.message, { details: { causes } })
  }
  // The router's own, such as for a path whose percent-encoding is broken.
  if (error instanceof Error && 'status' in error && error.status === 400) {
    return new StatusError('BadRequest', 'the path of the request is not valid')
  }
  return new StatusError('InternalError', 'an internal error occurred')
}

/** For a path that is there, but not for this method. */
export function methodNotAllowed(allowed: readonly string[]): StatusError {
  const headers = { Allow: allowed.join(', ') }
  return new StatusError('MethodNotAllowed', `the server allows ${headers.Allow} here`, { headers })
}
