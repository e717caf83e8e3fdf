import type { LogRecord } from '../topic-log.ts'
import type { SeenBeer } from './stream-client.ts'

/** Broken promises, one sentence each; only the first of a kind for each partition. */
export type Findings = readonly string[]

/**
 * Compares the beers with their prices: in each partition the same names in the same order, so each beer has one price. A beer
 * that is missing, doubled or out of order shifts the sequence of names.
 */
export function comparePrices(beers: readonly LogRecord[], pricedBeers: readonly LogRecord[]): Findings {
  const findings: string[] = []
  const priced = byPartition(pricedBeers)
  for (const [partition, expected] of byPartition(beers)) {
    const found = priced.get(partition) ?? []
    priced.delete(partition)
    const at = expected.findIndex(({ key }, index) => found[index]?.key !== key)
    if (at >= 0) {
      const [beer, price] = [expected[at], found[at]]
      const got = price === undefined ? 'nothing' : `"${price.key}" at offset ${price.offset}`
      findings.push(`priced-beer ${partition}: "${beer?.key}" at offset ${beer?.offset} of beer is followed by ${got}`)
    }
    if (found.length !== expected.length) {
      findings.push(`priced-beer ${partition}: ${expected.length} beers have ${found.length} prices`)
    }
  }
  for (const [partition, found] of priced) findings.push(`priced-beer ${partition}: ${found.length} prices of no beer`)
  return findings
}

/**
 * Compares the events of a stream's client with the priced beers: each of them once, in the order of its partition, beginning with the
 * first that it got: for those before, it had no id to resume from.
 */
export function compareSeen(pricedBeers: readonly LogRecord[], seen: readonly SeenBeer[]): Findings {
  const expected = byPartition(pricedBeers)
  const [first] = seen
  if (first === undefined) return ['no beer was seen']
  let before = parsePosition(first.id)
  if (!isAt(expected, before, first)) return [`the first event, "${first.id}" ${first.data}, is no priced beer`]
  const next = new Map(
    [...expected].map(([partition, records]) => {
      const seenTo = before.get(partition) ?? -1n
      return [partition, records.filter(({ offset }) => offset <= seenTo).length]
    }),
  )
  for (const [index, { id, data }] of seen.entries()) {
    if (index === 0) continue
    const position = parsePosition(id)
    const moved = [...new Set([...before.keys(), ...position.keys()])].filter(
      (partition) => position.get(partition) !== before.get(partition),
    )
    const [partition] = moved
    if (partition === undefined || moved.length > 1) {
      return [`event ${index} has the id "${id}" after "${seen[index - 1]?.id}": it does not move in one partition`]
    }
    const offset = position.get(partition)
    const at = next.get(partition) ?? 0
    const record = expected.get(partition)?.[at]
    if (record === undefined || record.offset !== offset || record.value !== data) {
      const wanted = record === undefined ? 'no more' : `offset ${record.offset}, ${record.value}`
      return [`event ${index} is offset ${offset} of partition ${partition}, ${data}; expected ${wanted}`]
    }
    next.set(partition, at + 1)
    before = position
  }
  return [...expected].flatMap(([partition, records]) => {
    const missing = records.length - (next.get(partition) ?? 0)
    return missing === 0
      ? []
      : [`the last ${missing} of ${records.length} priced beers of partition ${partition} were not seen`]
  })
}

/** True when the last event that a client saw is the last priced beer of every partition. */
export function hasSeenLast(pricedBeers: readonly LogRecord[], seen: readonly SeenBeer[]): boolean {
  const last = seen.at(-1)
  if (last === undefined) return false
  const position = parsePosition(last.id)
  return [...byPartition(pricedBeers)].every(([partition, records]) => {
    return (position.get(partition) ?? -1n) >= (records.at(-1)?.offset ?? -1n)
  })
}

/** True when an event is one of the records that its id names. */
function isAt(records: Map<number, LogRecord[]>, position: ReadonlyMap<number, bigint>, { data }: SeenBeer): boolean {
  return [...position].some(([partition, offset]) => {
    return records.get(partition)?.some((record) => record.offset === offset && record.value === data) === true
  })
}

function byPartition(records: readonly LogRecord[]): Map<number, LogRecord[]> {
  return Map.groupBy(records, ({ partition }) => partition)
}

function parsePosition(id: string): Map<number, bigint> {
  return new Map(
    id.split('.').map((part) => {
      const [partition = '', offset = ''] = part.split('-')
      return [Number(partition), BigInt(offset)]
    }),
  )
}
