import { LIMITS } from '@taproom/core/limits'
import { reasonOf, rootCause } from '@taproom/core/lines'
import { readBody } from '@taproom/http'
import { KeyFetchError } from '../errors.ts'

const TIMEOUT_MS = 5000

export interface KeyText {
  readonly text: string
  /** `max-age` of Cache-Control, in milliseconds. */
  readonly maxAgeMs?: number
}

/**
 * Reads a key set: within 5 s, at most 256 KiB decompressed, status 200, no redirects (they could lead away from the configured host).
 *
 * @throws {KeyFetchError} when one of these fails; the message says which
 */
export async function fetchKeyText(url: URL, request: typeof fetch, stop: AbortSignal): Promise<KeyText> {
  const target = `GET ${url.origin}${url.pathname}`
  const signal = AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)])
  try {
    const response = await request(url, { signal, redirect: 'error', headers: { accept: 'application/json, */*' } })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new KeyFetchError(`${target}: expected status 200 but got ${response.status}`)
    }
    const body = await readBody(response.body, LIMITS.keySetBytes)
    if (body === undefined) throw new KeyFetchError(`${target}: the answer is larger than ${LIMITS.keySetBytes} bytes`)
    const text = body.toString()
    const maxAge = /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(response.headers.get('cache-control') ?? '')?.[1]
    return maxAge === undefined ? { text } : { text, maxAgeMs: Number(maxAge) * 1000 }
  } catch (cause) {
    if (cause instanceof KeyFetchError) throw cause
    if (signal.aborted) throw new KeyFetchError(`${target}: no answer within ${TIMEOUT_MS} ms`, { cause })
    throw new KeyFetchError(`${target}: ${codeOrReason(rootCause(cause))}`, { cause })
  }
}

/** The code of a failed connection says enough; its message may have addresses of the inside. */
function codeOrReason(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : reasonOf(cause)
}
