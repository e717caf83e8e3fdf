import { PlatformError } from '../errors.ts'

/** No instance could take the request: answered 503 with `Retry-After`. */
export class UnavailableError extends PlatformError {
  override readonly name = 'UnavailableError'
  readonly code = 'ERR_SERVICE_UNAVAILABLE'
  /** When it may be worth trying again. */
  readonly retryAfterSeconds: number

  constructor(message: string, options: { readonly retryAfterSeconds: number }) {
    super(message)
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** The revision is being stopped; its successor, if there is one, can take the request. */
export class RevisionStoppedError extends PlatformError {
  override readonly name = 'RevisionStoppedError'
  readonly code = 'ERR_REVISION_STOPPED'
}

/** Whether nothing listened at an instance's address, or no longer, so that the request has certainly not been seen by anybody. */
export function isConnectionRefused(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return (
    error.code === 'ECONNREFUSED' || (error.code === 'ECONNRESET' && 'syscall' in error && error.syscall === 'connect')
  )
}
