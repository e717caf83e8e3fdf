import { PlatformError } from '../errors.ts'

/** No instance could take the request: 503 with `Retry-After`. */
export class UnavailableError extends PlatformError {
  readonly code = 'SERVICE_UNAVAILABLE'
  readonly retryAfterSeconds: number

  constructor(message: string, options: { readonly retryAfterSeconds: number }) {
    super(message)
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** The revision is stopping; its successor, if any, can take the request. */
export class RevisionStoppedError extends PlatformError {
  readonly code = 'REVISION_STOPPED'
}

/** Whether an instance certainly did not see the request, because it no longer listens. */
export function isConnectionRefused(error: unknown): boolean {
  const { syscall, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  return code === 'ECONNREFUSED' || (code === 'ECONNRESET' && syscall === 'connect')
}
