/** The status of each error as an answer. */
export const PROXY_STATUSES = {
  ERR_REQUEST_REFUSED: 400,
  ERR_PROXY_BUSY: 503,
  ERR_UPSTREAM_UNREACHABLE: 503,
  ERR_UPSTREAM_BROKE_OFF: 502,
  ERR_UPSTREAM_INVALID: 502,
} as const

/** Why a request was not passed on, or not answered. */
export type ProxyErrorCode = keyof typeof PROXY_STATUSES

/** A request that the proxy has not answered: nothing was sent back yet. The message of a refused one can be shown to the client. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
  readonly code: ProxyErrorCode
  /** The status this is as an answer: 400, 502 or 503. */
  readonly status: 400 | 502 | 503

  constructor(code: ProxyErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.status = PROXY_STATUSES[code]
  }
}
