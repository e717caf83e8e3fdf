import { setImmediate as turn } from 'node:timers/promises'
import { KeptLines, type KeptLinesLimits } from '@taproom/core/lines'
import type { LogCounts, LogLine } from '../api/services.ts'
import { type KeptLine, keptLine, shownLine } from './kept-line.ts'
import { logCounts } from './log-counts.ts'
import { fitting, type LogFilter } from './log-filter.ts'

export type LogStore = ReturnType<typeof createLogStore>

const LIMITS: KeptLinesLimits = { maxLines: 100_000, maxCharacters: 48 * 1024 * 1024 }

/** Characters of lines that are looked at before others get their turn. */
const CHARACTERS_OF_TURN = 1024 * 1024

/** The newest lines of all services. Default limits: 100,000 lines of 48 Mi characters in all. */
export function createLogStore(limits: KeptLinesLimits = LIMITS) {
  const watchers = new Set<() => void>()
  const lines = new KeptLines<KeptLine>(limits)

  /** The newest that fit among those at the given places. */
  function newest(filter: LogFilter, { from, to, limit }: { from: number; to: number; limit: number }): LogLine[] {
    const fits = fitting(filter)
    const found: LogLine[] = []
    for (let at = to - 1; at >= from && found.length < limit; at -= 1) {
      const line = lines.at(at)
      if (line !== undefined && fits(line)) found.push(shownLine(line))
    }
    return found.reverse()
  }

  function placeAfter(id: number): number {
    let [low, high] = [0, lines.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((lines.at(middle)?.id ?? 0) > id) high = middle
      else low = middle + 1
    }
    return low
  }

  return {
    /** Takes a line that is one JSON object; what is none is left out. */
    add(id: number, json: string): void {
      const line = keptLine(id, json)
      if (line === undefined) return
      lines.push(line)
      for (const changed of watchers) changed()
    },
    /** The newest lines that fit, the newest last: at most `limit`, older than the line `before`. */
    find: (filter: LogFilter, { limit, before }: { limit: number; before?: number | undefined }) =>
      newest(filter, { from: 0, to: before === undefined ? lines.length : placeAfter(before - 1), limit }),
    /** The newest `limit` lines that fit and come after a line, the newest last. */
    after: (id: number, filter: LogFilter, limit: number) =>
      newest(filter, { from: placeAfter(id), to: lines.length, limit }),
    /** Counts all lines that fit, in so many intervals from the filter's earliest to its latest time, else of those lines. */
    async counts(filter: LogFilter, intervals: number): Promise<LogCounts> {
      const range = { from: filter.since, to: filter.until, intervals }
      return logCounts(await allFitting(lines.from(0), filter), range)
    },
    get lastId(): number {
      return lines.at(-1)?.id ?? 0
    },
    /** Calls back when there are new lines, until it is disposed of. */
    watch(changed: () => void): Disposable {
      watchers.add(changed)
      return { [Symbol.dispose]: () => void watchers.delete(changed) }
    },
  }
}

async function allFitting(lines: readonly KeptLine[], filter: LogFilter): Promise<readonly KeptLine[]> {
  const fits = fitting(filter)
  const found: KeptLine[] = []
  let characters = 0
  for (const line of lines) {
    if (fits(line)) found.push(line)
    characters += line.json.length
    if (characters < CHARACTERS_OF_TURN) continue
    characters = 0
    await turn()
  }
  return found
}
