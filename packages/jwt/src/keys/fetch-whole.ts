import { reasonOf, rootCause } from '@taproom/core/lines'
import { readBody } from '@taproom/http'

export interface FetchBounds {
  readonly timeoutMs: number
  /** Decompressed. */
  readonly maxBytes: number
  readonly stop: AbortSignal
  readonly fetch: typeof fetch
  /** The error's class; its message says which bound was broken. */
  readonly Failure: new (
    message: string,
    options?: ErrorOptions,
  ) => Error
  /** Default: `reasonOf`. */
  readonly reason?: (cause: unknown) => string
}

/** The whole answer of status 200 within the bounds. Redirects are refused: they could lead away from the configured host. */
export async function fetchWhole(
  url: URL,
  init: RequestInit,
  bounds: FetchBounds,
): Promise<{ readonly headers: Headers; readonly bytes: Buffer }> {
  const { timeoutMs, maxBytes, stop, fetch: request, Failure, reason = reasonOf } = bounds
  const target = `${init.method ?? 'GET'} ${url.origin}${url.pathname}`
  const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)])
  try {
    const { status, headers, body } = await request(url, { ...init, signal, redirect: 'error' })
    if (status !== 200) {
      await body?.cancel()
      throw new Failure(`${target}: expected status 200 but got ${status}`)
    }
    const bytes = await readBody(body, maxBytes)
    if (bytes === undefined) throw new Failure(`${target}: the answer is larger than ${maxBytes} bytes`)
    return { headers, bytes }
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    const why = signal.aborted ? `no answer within ${timeoutMs} ms` : reason(rootCause(cause))
    throw new Failure(`${target}: ${why}`, { cause })
  }
}
