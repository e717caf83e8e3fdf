/** The longest wait of a Node timer. */
const LONGEST_MS = 2 ** 31 - 1
/** Characters; any date is shorter. */
const LONGEST_HEADER = 64

/**
 * The wait in milliseconds that a `Retry-After` header asks for, as seconds or HTTP-date (RFC 9110, 10.2.3); undefined when absent or
 * unusable.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d+$/.test(header)) return Math.min(Number(header) * 1000, LONGEST_MS)
  if (header.length > LONGEST_HEADER) return undefined
  // The obsolete asctime form is GMT, but names no zone.
  const date = /^[A-Z][a-z]/.test(header) ? Date.parse(header.endsWith('GMT') ? header : `${header} GMT`) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), LONGEST_MS)
}
