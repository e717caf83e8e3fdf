import type { ClaimedIdentity, Refusal } from '@taproom/jwt'
import { createLogWindow, visible } from '@taproom/lines'
import type { Logger } from '@taproom/service'

/** Lines of one window, for all clients and for each one: a client that asks often must not hide the others. */
const LINES_OF_ALL = 200
const LINES_OF_ONE = 50
const WINDOW_MS = 10_000

/** Characters shown of each claim. */
const SHOWN = 100

/**
 * Logs one line for each refusal, up to 50 of a client and 200 of all in a window of ten seconds; the rest is one line at the window's end,
 * counted by reason. So the log cannot be flooded. The token is never logged.
 */
export function createRefusalLog(log: Pick<Logger, 'info' | 'warn'>): (client: string, refusal: Refusal) => void {
  const mayWrite = createLogWindow({
    lines: LINES_OF_ALL,
    linesOfOne: LINES_OF_ONE,
    windowMs: WINDOW_MS,
    onLeftOut(reasons) {
      const suppressed = Object.values(reasons).reduce((total, count) => total + count, 0)
      log.warn({ suppressed, reasons }, 'further requests refused')
    },
  })
  return (client, { status, reason, claimed }) => {
    if (mayWrite(client, reason)) log.info({ client, status, reason, ...shown(claimed) }, 'claim refused')
  }
}

/** Claims of an unverified token may be forged. */
function shown(claimed: ClaimedIdentity): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(claimed).map(([name, text]) => [name, visible(text, SHOWN)]))
}
