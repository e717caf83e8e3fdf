const MOST_PAIRS = 180

/**
 * Reads `key=value,key=value` with percent-encoded values, as headers and resource attributes are written (W3C Baggage without properties).
 *
 * @throws {RangeError} when a part is no pair, or there are more than 180
 */
export function readKeyValues(text: string): Readonly<Record<string, string>> {
  const parts = text.split(',').filter((part) => part.trim() !== '')
  if (parts.length > MOST_PAIRS) throw new RangeError('too many pairs')
  return Object.fromEntries(parts.map(readPair))
}

function readPair(part: string): [string, string] {
  const at = part.indexOf('=')
  const key = decoded(part.slice(0, at))
  if (at <= 0 || key === '') throw new RangeError('no pair of key and value')
  return [key, decoded(part.slice(at + 1))]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.trim())
  } catch {
    throw new RangeError('not percent-encoded')
  }
}
