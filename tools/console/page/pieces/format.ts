const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** Local time of day, with milliseconds. */
export function clock(time: number): string {
  return `${CLOCK.format(time)}.${String(Math.floor(time % 1000)).padStart(3, '0')}`
}

/** `240 µs`, `3.4 ms`, `1.25 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 0.95) return `${Math.round(ms * 1000)} µs`
  if (ms < 1000) return `${short(ms)} ms`
  if (ms < 60_000) return `${short(ms / 1000)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}

export function bytes(count: number): string {
  if (count < 1024) return `${count} B`
  if (count < 1_048_576) return `${short(count / 1024)} KiB`
  if (count < 1_073_741_824) return `${short(count / 1_048_576)} MiB`
  return `${short(count / 1_073_741_824)} GiB`
}

export function rate(perSecond: number): string {
  return `${short(perSecond)}/s`
}

/** Three significant digits. */
export function short(value: number): string {
  if (value === 0) return '0'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return String(Number(value.toFixed(digits)))
}

export function count(value: number, one: string, many = `${one}s`): string {
  return `${value.toLocaleString('en')} ${value === 1 ? one : many}`
}
