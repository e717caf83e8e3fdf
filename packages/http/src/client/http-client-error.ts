/**
 * Why a request of an {@link HttpClient} has no answer; errors of the network, such as a refused connection, stay as Node has them.
 * `HTTP_REQUEST_INVALID` comes before anything is sent, and would come again.
 */
export type HttpClientErrorCode =
  | 'HTTP_REQUEST_INVALID'
  | 'HTTP_CLIENT_BUSY'
  | 'HTTP_CLIENT_CLOSED'
  | 'HTTP_TIMEOUT'
  | 'HTTP_BROKE_OFF'
  | 'HTTP_ANSWER_INVALID'
  | 'HTTP_ANSWER_HEAD_TOO_LARGE'
  | 'HTTP_ANSWER_TOO_LARGE'

/** The message never quotes what the other side has sent. */
export class HttpClientError extends Error {
  override readonly name = 'HttpClientError'
  readonly code: HttpClientErrorCode

  constructor(code: HttpClientErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** True for the errors of a connection that the other side had closed as idle. */
export function isOfStaleConnection(error: unknown): boolean {
  if (error instanceof HttpClientError) return error.code === 'HTTP_BROKE_OFF'
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}
