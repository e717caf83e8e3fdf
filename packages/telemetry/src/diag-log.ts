import type { DiagLogger } from '@opentelemetry/api'
import { createLogWindow, type Log, visible } from '@taproom/core/lines'

const MAX_TEXT = 500
/** What OpenTelemetry says in ten seconds: one failed export after another would be a flood. */
const LINES = 10

/** OpenTelemetry's own messages as lines of the service's log. What it says at length, such as a whole answer, is cut. */
export function diagLog(log: Log): DiagLogger {
  const mayWrite = createLogWindow({
    lines: LINES,
    linesOfOne: LINES,
    onLeftOut: (levels) => log.warn({ levels }, 'further messages of telemetry left out'),
  })
  const writer =
    (level: 'warn' | 'error') =>
    (message: string, ...args: unknown[]) => {
      if (!mayWrite(level, level)) return
      log.warn({ detail: visible([message, ...args].map(String).join(' '), MAX_TEXT) }, 'telemetry has a problem')
    }
  const silent = () => {
    // Below the level that is asked for.
  }
  return { error: writer('error'), warn: writer('warn'), info: silent, debug: silent, verbose: silent }
}
