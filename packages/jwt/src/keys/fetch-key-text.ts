import { LIMITS } from '@taproom/core/limits'
import { reasonOf } from '@taproom/core/lines'
import { KeyFetchError } from '../errors.ts'
import { fetchWhole } from './fetch-whole.ts'

export interface KeyText {
  readonly text: string
  /** `max-age` of Cache-Control, in milliseconds. */
  readonly maxAgeMs?: number
}

/**
 * Reads a key set: within 5 s, at most 256 KiB.
 *
 * @throws {KeyFetchError} when there is none
 */
export async function fetchKeyText(url: URL, request: typeof fetch, stop: AbortSignal): Promise<KeyText> {
  const bounds = { timeoutMs: 5000, maxBytes: LIMITS.keySetBytes, stop, fetch: request }
  const init = { headers: { accept: 'application/json, */*' } }
  const { headers, bytes } = await fetchWhole(url, init, { ...bounds, Failure: KeyFetchError, reason: codeOrReason })
  const text = bytes.toString()
  const maxAge = /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(headers.get('cache-control') ?? '')?.[1]
  return maxAge === undefined ? { text } : { text, maxAgeMs: Number(maxAge) * 1000 }
}

/** The code of a failed connection says enough; its message may have addresses of the inside. */
function codeOrReason(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : reasonOf(cause)
}
