/** The longest wait a timer of Node can hold. */
const LONGEST_MS = 2 ** 31 - 1
/** No date is as long. */
const LONGEST_HEADER = 64

/**
 * The wait that a `Retry-After` header asks for, in milliseconds; undefined when it is absent or says nothing usable.
 * Both forms are read: seconds and HTTP-date (RFC 9110, 10.2.3).
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d+$/.test(header)) return Math.min(Number(header) * 1000, LONGEST_MS)
  if (header.length > LONGEST_HEADER) return undefined
  // The obsolete asctime form names no zone; it is GMT too.
  const date = /^[A-Z][a-z]/.test(header) ? Date.parse(header.endsWith('GMT') ? header : `${header} GMT`) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), LONGEST_MS)
}
