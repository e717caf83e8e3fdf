/** For each partition of the topic, the offset of the last message seen; a partition not named has none. */
export type Positions = ReadonlyMap<number, bigint>

const pattern = /^\d{1,9}-\d{1,18}(\.\d{1,9}-\d{1,18})*$/
const longestId = 4096

/**
 * The id of a server-sent event: the position of its reader in every partition, `partition-offset` joined by dots, so that one
 * id is enough to resume from, on any instance and after any restart. Negative offsets (nothing seen) are left out.
 */
export function formatEventId(positions: Iterable<readonly [partition: number, offset: bigint]>): string {
  const parts: string[] = []
  for (const [partition, offset] of positions) if (offset >= 0n) parts.push(`${partition}-${offset}`)
  return parts.join('.')
}

/** Reads an id written by {@link formatEventId}; undefined for any other text. */
export function parseEventId(id: string): Positions | undefined {
  if (id.length > longestId || !pattern.test(id)) return undefined
  const positions = new Map<number, bigint>()
  for (const part of id.split('.')) {
    const [partition = '', offset = ''] = part.split('-')
    if (positions.has(Number(partition))) return undefined
    positions.set(Number(partition), BigInt(offset))
  }
  return positions
}

/** The id, moved on to `positions` in each partition in which it lies before them. */
export function mergeEventId(id: string, positions: Positions): string {
  const merged = new Map(parseEventId(id))
  for (const [partition, offset] of positions) {
    if (offset > (merged.get(partition) ?? -1n)) merged.set(partition, offset)
  }
  return formatEventId(merged)
}
