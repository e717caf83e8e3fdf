import { KeptLines, type KeptLinesLimits, type ServiceLine } from '@taproom/core/lines'

/** A line of a service, with a number that grows by one from line to line. */
export interface NumberedLine {
  readonly id: number
  /** One JSON object with a `service` member. */
  readonly json: string
}

export type RecentLines = ReturnType<typeof createRecentLines>

const LIMITS: KeptLinesLimits = { maxLines: 5000, maxCharacters: 4 * 1024 * 1024 }

/**
 * The last lines of all services, for readers that come later, and for those that follow them. Default limits: 5000 lines of 4 Mi
 * characters in all.
 */
export function createRecentLines(limits: KeptLinesLimits = LIMITS) {
  const followers = new Set<(line: NumberedLine) => void>()
  const lines = new KeptLines<NumberedLine>(limits)
  let lastId = 0
  return {
    write({ json }: ServiceLine): void {
      lastId += 1
      const line = { id: lastId, json }
      lines.push(line)
      for (const onLine of followers) onLine(line)
    },
    /** The lines after a number that are still kept; 0 is all. */
    after: (id: number) => lines.from(id - (lastId - lines.length)),
    /** Calls back with each line that is written from now on, until it is disposed of. */
    follow(onLine: (line: NumberedLine) => void): Disposable {
      followers.add(onLine)
      return { [Symbol.dispose]: () => void followers.delete(onLine) }
    },
  }
}
