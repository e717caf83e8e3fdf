/**
 * The wait that a `Retry-After` header asks for, in milliseconds; undefined when it is absent or says nothing usable.
 * Both forms are read: seconds and HTTP-date (RFC 9110, 10.2.3).
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1000
  // The obsolete asctime form names no zone; it is GMT too.
  const date = /^[A-Z][a-z]/.test(header) ? Date.parse(header.endsWith('GMT') ? header : `${header} GMT`) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
