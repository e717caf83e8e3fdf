/** Aborts at the first signal that asks to end, so that every started process is ended. */
export function untilSignal(): AbortSignal {
  const stop = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort(new Error(`ended by ${name}`)))
  return stop.signal
}
