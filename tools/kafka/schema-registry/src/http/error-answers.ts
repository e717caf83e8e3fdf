import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Log, reasonWithCause } from '@taproom/core/lines'
import { RegistryError } from '../errors.ts'
import { answer } from './answer.ts'

/** The one place where errors become answers: Confluent's `error_code` and `message`. A 5xx is logged once, with its cause. */
export function answerError(error: unknown, { method }: IncomingMessage, res: ServerResponse, log: Log): void {
  const { status, errorCode, message } = refusalOf(error)
  if (status >= 500) log.error({ method, errorCode, reason: reasonWithCause(error) }, 'request failed')
  if (res.headersSent) res.destroy()
  else answer(res, { error_code: errorCode, message }, status)
}

function refusalOf(error: unknown): RegistryError {
  if (error instanceof RegistryError) return error
  // A part of the path that cannot be decoded.
  if (error instanceof URIError) return new RegistryError(400, error.message)
  return new RegistryError(500, 'Internal Server Error')
}
