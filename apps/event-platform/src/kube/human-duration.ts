const UNITS = [
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
  ['y', 31_536_000],
] as const

/** As kubectl writes ages: at most two units, coarser with length (`45s`, `5m3s`, `2h`, `3d4h`). */
export function humanDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  if (whole < 120) return `${whole}s`
  const index = UNITS.findLastIndex(([, size]) => whole >= 2 * size)
  const [unit, size] = UNITS[index] ?? ['s', 1]
  const [smaller, smallerSize] = UNITS[index - 1] ?? ['s', 1]
  const count = Math.floor(whole / size)
  const rest = Math.floor((whole % size) / smallerSize)
  return count < 10 && rest > 0 ? `${count}${unit}${rest}${smaller}` : `${count}${unit}`
}
