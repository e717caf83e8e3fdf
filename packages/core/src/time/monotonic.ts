/**
 * Milliseconds, with fractions, of a clock that only goes forward, for how long something took. It is that of `performance.now()` from another
 * zero, and costs the same; but Node loads `performance` when it is first used, a millisecond that a service's first answer need not wait.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}
