import type { ErrorRequestHandler, RequestHandler } from 'express'
import { PlatformError } from '../errors.ts'
import { InvalidObjectError } from '../resources/field-reader.ts'

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
  UnsupportedMediaType: 415,
} as const

/** Why the resource API refused a request. */
export type StatusReason = keyof typeof CODES

/** An answer of the resource API that is no success. */
export class StatusError extends PlatformError {
  override readonly name = 'StatusError'
  readonly code = 'ERR_KUBE_STATUS'
  readonly reason: StatusReason
  readonly details: object | undefined

  constructor(reason: StatusReason, message: string, details?: object) {
    super(message)
    this.reason = reason
    this.details = details
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

/** Turns errors into `Status` objects; what nobody foresaw is logged and told without its message. */
export function statusHandler(log: { error(fields: object, message: string): void }): ErrorRequestHandler {
  return (error: unknown, _req, res, _next) => {
    const answer = asStatusError(error)
    if (answer.reason === 'InternalError') log.error({ err: error }, 'resource api request failed')
    if (res.headersSent) res.destroy()
    else res.status(answer.status).json(failure(answer))
  }
}

function asStatusError(error: unknown): StatusError {
  if (error instanceof StatusError) return error
  if (error instanceof InvalidObjectError) {
    const causes = error.problems.map(({ field, rule }) => ({ reason: 'FieldValueInvalid', message: rule, field }))
    return new StatusError('Invalid', error.message, { causes })
  }
  return new StatusError('InternalError', 'an internal error occurred')
}
