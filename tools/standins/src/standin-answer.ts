import type { OutgoingHttpHeaders } from 'node:http'

/** Answer to a request; `json` is the body. */
export interface StandinAnswer {
  readonly status: number
  readonly headers?: OutgoingHttpHeaders
  readonly json?: unknown
  /** In place of `json`, the body as it is. */
  readonly text?: string
}
