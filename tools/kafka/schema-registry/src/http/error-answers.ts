import { type Log, reasonWithCause } from '@taproom/core/lines'
import type { NextFunction, Request, Response } from 'express'
import { RegistryError } from '../errors.ts'
import { answer } from './answer.ts'

/** The handler of paths that nothing serves. */
export function notFound(): never {
  throw new RegistryError(404, 'HTTP 404 Not Found')
}

/** The one place where errors become answers: Confluent's `error_code` and `message`. A 5xx is logged once, with its cause. */
export function errorAnswers(log: Log) {
  // Express knows handlers of errors by their four parameters.
  return (error: unknown, req: Request, res: Response, _next: NextFunction): void => {
    const { status, errorCode, message } = refusalOf(error)
    if (status >= 500) log.error({ method: req.method, errorCode, reason: reasonWithCause(error) }, 'request failed')
    if (res.headersSent) res.destroy()
    else answer(res, { error_code: errorCode, message }, status)
  }
}

function refusalOf(error: unknown): RegistryError {
  if (error instanceof RegistryError) return error
  // Express' own refusals, such as of a path that cannot be decoded.
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500
  if (status >= 400 && status < 500) return new RegistryError(status, (error as Error).message)
  return new RegistryError(500, 'Internal Server Error')
}
