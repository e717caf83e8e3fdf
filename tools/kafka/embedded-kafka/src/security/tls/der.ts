/** One value in DER. */
export interface Element {
  readonly tag: number
  readonly content: Buffer
  /** With tag and length. */
  readonly whole: Buffer
}

/** @throws {RangeError} when it is not DER */
export function elementsOf(der: Buffer): readonly Element[] {
  const elements: Element[] = []
  let at = 0
  while (at < der.length) {
    const first = der.readUInt8(at + 1)
    const more = first < 0x80 ? 0 : first & 0x7f
    const length = more === 0 ? first : der.readUIntBE(at + 2, more)
    const begin = at + 2 + more
    elements.push({
      tag: der.readUInt8(at),
      content: der.subarray(begin, begin + length),
      whole: der.subarray(at, begin + length),
    })
    at = begin + length
  }
  return elements
}

/** An object identifier with dots. */
export function objectId(content: Buffer): string {
  const numbers: number[] = []
  let value = 0
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f)
    if (byte >= 0x80) continue
    numbers.push(value)
    value = 0
  }
  const [first = 0, ...rest] = numbers
  const root = Math.min(2, Math.floor(first / 40))
  return [root, first - root * 40, ...rest].join('.')
}
