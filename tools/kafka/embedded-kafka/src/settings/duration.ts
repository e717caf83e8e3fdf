const PARTS = /^P(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,9})?)S)?)?$/

/** A duration in days, hours, minutes and seconds as ISO 8601 writes it (`P1DT12H`), in milliseconds; undefined for anything else. */
export function durationMs(text: string): number | undefined {
  const parts = PARTS.exec(text)?.slice(1)
  if (!parts || parts.every((part) => part === undefined)) return undefined
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0))
  const ms = Math.floor((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000)
  return Number.isSafeInteger(ms) ? ms : undefined
}
