const PATTERN =
  /^P(?!$)(?:([\d.,]+)Y)?(?:([\d.,]+)M)?(?:([\d.,]+)W)?(?:([\d.,]+)D)?(?:T(?!$)(?:([\d.,]+)H)?(?:([\d.,]+)M)?(?:([\d.,]+)S)?)?$/
/** Characters; any duration that fits a timer is shorter. */
const LONGEST = 64
const WHOLE = /^\d+$/
const DECIMAL = /^\d+(?:[.,]\d+)?$/
const DAY_MS = 86_400_000
/** Y, M, W, D, H, M, S; a year is the Gregorian calendar's mean, a month a twelfth of it. */
const UNITS_MS = [365.2425 * DAY_MS, (365.2425 / 12) * DAY_MS, 7 * DAY_MS, DAY_MS, 3_600_000, 60_000, 1000] as const

/**
 * Milliseconds, rounded, of an ISO 8601 duration such as `PT0.2S` or `P1DT12H`; undefined if it is not one. Unsigned; only the last
 * component may have a fraction.
 */
export function parseDuration(text: string): number | undefined {
  if (text.length > LONGEST) return undefined
  const components = PATTERN.exec(text)?.slice(1)
  if (components === undefined) return undefined
  const last = components.findLastIndex((component) => component !== undefined)
  let ms = 0
  for (const [index, component] of components.entries()) {
    if (component === undefined) continue
    if (!(index === last ? DECIMAL : WHOLE).test(component)) return undefined
    ms += Number(component.replace(',', '.')) * (UNITS_MS[index] ?? 0)
  }
  return Number.isFinite(ms) ? Math.round(ms) : undefined
}
