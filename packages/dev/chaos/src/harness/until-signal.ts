/** Aborts at the first signal to end, so that every process started is ended. */
export function untilSignal(): AbortSignal {
  const stop = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort(new Error(`ended by ${name}`)))
  return stop.signal
}
