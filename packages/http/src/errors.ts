/** The status that each error is answered with. */
export const PROXY_STATUSES = {
  PROXY_REQUEST_REFUSED: 400,
  PROXY_BUSY: 503,
  PROXY_UPSTREAM_UNREACHABLE: 503,
  PROXY_UPSTREAM_BROKE_OFF: 502,
  PROXY_UPSTREAM_INVALID: 502,
} as const

export type ProxyErrorCode = keyof typeof PROXY_STATUSES

/** The request failed before any answer was sent. With `PROXY_REQUEST_REFUSED` the message can be shown to the client. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
  readonly code: ProxyErrorCode
  readonly status: 400 | 502 | 503

  constructor(code: ProxyErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.status = PROXY_STATUSES[code]
  }
}
