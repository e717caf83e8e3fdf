/** The offset last seen, by partition; partitions without one are absent. */
export type Positions = ReadonlyMap<number, bigint>

const PATTERN = /^\d{1,9}-\d{1,18}(\.\d{1,9}-\d{1,18})*$/
const LONGEST_ID = 4096

/**
 * An event's id holds its reader's position in every partition, `partition-offset` joined by dots: enough to resume from on any instance,
 * after any restart. Negative offsets (nothing seen) are left out.
 */
export function formatEventId(positions: Iterable<readonly [partition: number, offset: bigint]>): string {
  const parts: string[] = []
  for (const [partition, offset] of positions) if (offset >= 0n) parts.push(`${partition}-${offset}`)
  return parts.join('.')
}

/** Reverses {@link formatEventId}; undefined for any other text. */
export function parseEventId(id: string): Positions | undefined {
  if (id.length > LONGEST_ID || !PATTERN.test(id)) return undefined
  const positions = new Map<number, bigint>()
  for (const part of id.split('.')) {
    const [partition = '', offset = ''] = part.split('-')
    if (positions.has(Number(partition))) return undefined
    positions.set(Number(partition), BigInt(offset))
  }
  return positions
}

/** Moves the id on to `positions` in each partition where it is behind them. */
export function mergeEventId(id: string, positions: Positions): string {
  const merged = new Map(parseEventId(id))
  for (const [partition, offset] of positions) {
    if (offset > (merged.get(partition) ?? -1n)) merged.set(partition, offset)
  }
  return formatEventId(merged)
}
