import type { Log } from '@taproom/core/lines'
import type { ErrorRequestHandler, RequestHandler } from 'express'
import { PlatformError } from '../errors.ts'
import { NotSavedError } from '../manifests/resource-file.ts'
import { InvalidObjectError } from '../resources/field-reader.ts'
import { CapacityError } from '../resources/resource-store.ts'

/** Reasons of the Kubernetes API and their HTTP statuses. */
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
  ServiceUnavailable: 503,
  TooManyRequests: 429,
  Unauthorized: 401,
  UnsupportedMediaType: 415,
} as const

export type StatusReason = keyof typeof CODES

const ALWAYS_WITH: Partial<Record<StatusReason, Readonly<Record<string, string>>>> = {
  ServiceUnavailable: { 'Retry-After': '1' },
  TooManyRequests: { 'Retry-After': '1' },
  // Not Basic, though accepted: a browser would ask for a password, and then add it to the requests of any page.
  Unauthorized: { 'WWW-Authenticate': 'Bearer realm="resource API"' },
}

/** The resource API answers with a failure. */
export class StatusError extends PlatformError {
  readonly code = 'KUBE_STATUS'
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

/** The usual refusal. */
export function badRequest(message: string, options?: ErrorOptions): StatusError {
  return new StatusError('BadRequest', message, options)
}

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

export const notFound: RequestHandler = () => {
  throw new StatusError('NotFound', 'the server could not find the requested resource')
}

/** Turns errors into `Status` objects; an unexpected error is logged and its message not sent. */
export function statusHandler(log: Pick<Log, 'error'>): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const answer = asStatusError(error)
    if (answer.reason === 'InternalError') log.error({ err: error }, 'resource api request failed')
    if (res.headersSent) {
      res.destroy()
      return
    }
    // The rest of an unread body is not read to keep the connection.
    if (!req.complete) res.set('Connection', 'close')
    res.status(answer.status).set(answer.headers).json(failure(answer))
  }
}

function asStatusError(error: unknown): StatusError {
  if (error instanceof StatusError) return error
  if (error instanceof NotSavedError) return new StatusError('ServiceUnavailable', 'changes cannot be saved now')
  if (error instanceof CapacityError) return new StatusError('Forbidden', error.message)
  if (error instanceof InvalidObjectError) {
    const causes = error.problems.map(({ field, rule }) => ({ reason: 'FieldValueInvalid', message: rule, field }))
    return new StatusError('Invalid', error.message, { details: { causes } })
  }
  // The router's own errors, such as for broken percent-encoding in a path.
  if (error instanceof Error && 'status' in error && error.status === 400) {
    return new StatusError('BadRequest', 'the path of the request is not valid')
  }
  return new StatusError('InternalError', 'an internal error occurred')
}

/** The path exists, but not for this method. */
export function methodNotAllowed(allowed: readonly string[]): StatusError {
  const headers = { Allow: allowed.join(', ') }
  return new StatusError('MethodNotAllowed', `the server allows ${headers.Allow} here`, { headers })
}
