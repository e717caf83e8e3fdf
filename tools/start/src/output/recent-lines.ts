import { KeptLines, type KeptLinesLimits } from '@taproom/core/lines'
import type { LogOutput } from './log-output.ts'
import type { ServiceLine } from './service-line.ts'

/** A line of a service, with a number that grows by one from line to line. */
export interface NumberedLine {
  readonly id: number
  /** One JSON object with a `service` member. */
  readonly json: string
}

/** The last lines of all services, for who comes later, and whoever follows them. */
export interface RecentLines extends LogOutput {
  /** Those after a number that are still kept; 0 is all. */
  after(id: number): readonly NumberedLine[]
  /** Calls back with each line that is written from now on, until it is disposed of. */
  follow(onLine: (line: NumberedLine) => void): Disposable
}

const LIMITS: KeptLinesLimits = { maxLines: 5000, maxCharacters: 4 * 1024 * 1024 }

/** Default limits: 5000 lines of 4 Mi characters in all. */
export function createRecentLines(limits: KeptLinesLimits = LIMITS): RecentLines {
  const followers = new Set<(line: NumberedLine) => void>()
  const lines = new KeptLines<NumberedLine>(limits)
  let lastId = 0
  return {
    write({ json }: ServiceLine) {
      lastId += 1
      const line = { id: lastId, json }
      lines.push(line)
      for (const onLine of followers) onLine(line)
    },
    after: (id) => lines.from(id - (lastId - lines.length)),
    follow(onLine) {
      followers.add(onLine)
      return { [Symbol.dispose]: () => void followers.delete(onLine) }
    },
  }
}
