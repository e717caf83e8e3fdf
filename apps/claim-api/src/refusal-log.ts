import type { ClaimedIdentity, Refusal } from '@taproom/jwt'
import { createLogWindow, visible } from '@taproom/lines'
import type { Logger } from '@taproom/service'

/** Lines of one window: for all clients together, and for one of them, so that one who asks often does not hide the others. */
const LINES_OF_ALL = 200
const LINES_OF_ONE = 50
const WINDOW_MS = 10_000

/** Characters that are shown of what a token says. */
const SHOWN = 100

/** Writes down who was refused, and why. */
export type RefusalLog = (client: string, refusal: Refusal) => void

/**
 * One line for each refusal, as long as a window of ten seconds has not had 50 of the client and 200 of all; what more there were is one line at
 * the window's end, counted by reason. Nobody can fill the log. The token is never part of a line.
 */
export function createRefusalLog(log: Pick<Logger, 'info' | 'warn'>): RefusalLog {
  const mayWrite = createLogWindow({
    lines: LINES_OF_ALL,
    linesOfOne: LINES_OF_ONE,
    windowMs: WINDOW_MS,
    onLeftOut: (reasons) => log.warn({ suppressed: sum(Object.values(reasons)), reasons }, 'further requests refused'),
  })
  return (client, { status, reason, claimed }) => {
    if (mayWrite(client, reason)) log.info({ client, status, reason, ...shown(claimed) }, 'claim refused')
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

/** What the token says of itself, which anybody may have written. */
function shown(claimed: ClaimedIdentity): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(claimed).map(([name, text]) => [name, visible(text, SHOWN)]))
}
