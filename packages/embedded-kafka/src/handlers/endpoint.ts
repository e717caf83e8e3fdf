import type { Broker } from '../broker.ts'
import type { Api } from '../protocol/api.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { failureOf } from '../protocol/protocol-error.ts'

/** What a handler knows beside the request itself. */
export interface RequestContext {
  readonly broker: Broker
  readonly version: number
  readonly clientId: string
  readonly clientHost: string
  /** Where clients reach this broker, as they see it. */
  readonly address: { readonly host: string; readonly port: number }
  /** Aborted when nobody is left to answer. */
  readonly signal: AbortSignal
}

/** Stands for a request that is not answered (produce with acks=0). */
export const NO_RESPONSE = Symbol('no response')

/** An API and what answers it. */
export interface Endpoint {
  readonly api: Api<unknown, unknown>
  handle(request: unknown, context: RequestContext): unknown
}

type Answer<Response> = Response | typeof NO_RESPONSE

/** Ties a handler to its API, checked against the API's types. */
export function endpoint<Request, Response>(
  api: Api<Request, Response>,
  handle: (request: Request, context: RequestContext) => Answer<Response> | Promise<Answer<Response>>,
): Endpoint {
  return { api, handle: (request, context) => handle(request as Request, context) }
}

/** Runs an action that answers with nothing but a code. */
export function codeOf(action: () => void): ErrorCode {
  try {
    action()
    return ErrorCode.NONE
  } catch (error) {
    return failureOf(error).errorCode
  }
}
