import type { Append, End, LogHistory, Position, Read } from './history.ts'

/**
 * Checks that a history is linearizable: that all could have happened one after the other, each between its question and its answer. In
 * general that takes a search (Wing and Gong, Lowe). A log names the place of each append itself, so there is one order to try: that of
 * the offsets. Gives sentences on what does not fit, one of a kind for each partition.
 */
export function checkLog(history: LogHistory): string[] {
  const partitions = new Set(history.log.map(({ partition }) => partition))
  const of = <T extends { readonly partition: number }>(items: readonly T[], partition: number): T[] =>
    items.filter((item) => item.partition === partition)
  return [
    ...[...partitions].flatMap((partition) => {
      const log = of(history.log, partition).toSorted((a, b) => a.offset - b.offset)
      const appends = of(history.appends, partition)
      const found = [
        ...checkContents(log, appends),
        ...checkOrder(appends, log),
        ...checkReads(of(history.reads, partition), log, appends),
        ...checkEnds(of(history.ends, partition), appends),
      ]
      return found.map((finding) => `partition ${partition}: ${finding}`)
    }),
    ...checkPositions(history.positions),
  ]
}

/** The first of them as a sentence. */
function first<T>(broken: readonly T[], sentence: (item: T) => string): string[] {
  const [item] = broken
  if (item === undefined) return []
  return [`${sentence(item)}${broken.length > 1 ? ` (and ${broken.length - 1} more)` : ''}`]
}

/** Each acknowledged record is at its offset; no record is there twice, or was never sent. */
function checkContents(log: readonly Read[], appends: readonly Append[]): string[] {
  const at = new Map(log.map(({ offset, value }) => [offset, value]))
  const sent = new Set(appends.map(({ value }) => value))
  const seen = new Map<string, number>()
  const doubled = log.filter(({ value, offset }) => {
    const before = seen.get(value)
    seen.set(value, offset)
    return before !== undefined
  })
  return [
    ...first(
      appends.filter(({ offset, value }) => offset !== undefined && at.get(offset) !== value),
      ({ offset, value }) => `"${value}" was acknowledged at ${offset}, where "${at.get(offset ?? -1)}" is`,
    ),
    ...first(doubled, ({ value, offset }) => `"${value}" is there twice, the second time at ${offset}`),
    ...first(
      log.filter(({ value }) => !sent.has(value)),
      ({ value, offset }) => `"${value}" at ${offset} was never sent`,
    ),
  ]
}

/** A record that was acknowledged before another was sent is before it in the log. */
function checkOrder(appends: readonly Append[], log: readonly Read[]): string[] {
  const placeOf = new Map(log.map(({ value, offset }) => [value, offset]))
  const written = appends.flatMap((append) => {
    const place = placeOf.get(append.value)
    return place === undefined ? [] : [{ ...append, place }]
  })
  return checkLeast(
    written.map(({ returned, place }) => ({ returned, least: place })),
    written.map((append) => ({ ...append, offset: append.place })),
    ({ value }, highest) => `"${value}" was sent after ${highest} was written, and is before it`,
  )
}

/** Each record that was read stays, and was not read before it was sent. */
function checkReads(reads: readonly Read[], log: readonly Read[], appends: readonly Append[]): string[] {
  const at = new Map(log.map(({ offset, value }) => [offset, value]))
  const sentAt = new Map(appends.map(({ value, invoked }) => [value, invoked]))
  return [
    ...first(
      reads.filter(({ offset, value }) => at.get(offset) !== value),
      ({ offset, value }) => `"${value}" was read at ${offset}, where "${at.get(offset)}" is`,
    ),
    ...first(
      reads.filter((read) => read.at < (sentAt.get(read.value) ?? 0)),
      ({ value }) => `"${value}" was read before it was sent`,
    ),
  ]
}

/** An end is behind all that was acknowledged before it was asked for, and never goes back. */
function checkEnds(ends: readonly End[], appends: readonly Append[]): string[] {
  const known = [
    ...appends.flatMap(({ offset, returned }) => (offset === undefined ? [] : [{ returned, least: offset + 1 }])),
    ...ends.map(({ offset, returned }) => ({ returned, least: offset })),
  ]
  return checkLeast(known, ends, ({ offset }, least) => `the end was given as ${offset} when it was ${least} already`)
}

function checkPositions(positions: readonly Position[]): string[] {
  const fetches = positions.filter(({ kind }) => kind === 'fetch')
  const known = positions.map(({ offset, returned }) => ({ returned, least: offset }))
  const begun = positions.filter(({ kind }) => kind === 'commit')
  return [
    ...checkLeast(known, fetches, ({ offset }, least) => `the committed offset was given as ${offset}, not ${least}`),
    ...first(
      fetches.filter(
        ({ offset, returned }) => offset >= 0 && !begun.some((it) => it.offset === offset && it.invoked <= returned),
      ),
      ({ offset }) => `the committed offset was given as ${offset}, which no client had committed`,
    ),
  ]
}

/** Each of `asked` is at least what was known when it was asked for. */
function checkLeast<T extends { readonly invoked: number; readonly offset: number }>(
  known: readonly { readonly returned: number; readonly least: number }[],
  asked: readonly T[],
  sentence: (item: T, least: number) => string,
): string[] {
  const broken: { readonly item: T; readonly least: number }[] = []
  const byEnd = known.toSorted((a, b) => a.returned - b.returned)
  let next = 0
  let least = -1
  for (const item of asked.toSorted((a, b) => a.invoked - b.invoked)) {
    for (let one = byEnd[next]; one && one.returned < item.invoked; one = byEnd[++next]) {
      least = Math.max(least, one.least)
    }
    if (item.offset < least) broken.push({ item, least })
  }
  return first(broken, ({ item, least }) => sentence(item, least))
}
