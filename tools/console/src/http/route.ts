import type { IncomingMessage, ServerResponse } from 'node:http'

export interface Asked {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Parts of the path, decoded: those in braces. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Aborted when the caller is gone or the console stops. */
  readonly signal: AbortSignal
}

/** Answers a request; what it throws becomes a problem. */
export type Handler = (asked: Asked) => void | Promise<void>

/** By method and path, such as `GET /api/traces/{traceId}`. Each area of the API makes its own: `traceRoutes(deps)`. */
export type Routes = Readonly<Record<string, Handler>>
