import type { FaultMode } from '../../src/api/requests.ts'
import { send } from '../api.ts'

/** How long a broker is away. */
const SECONDS = 30

export const MODES: Readonly<Record<FaultMode, readonly [name: string, effect: string]>> = {
  none: ['Well again', 'as it should be'],
  slow: ['Slow', 'answers after 3 s: timeouts, then retries'],
  failing: ['Failing', 'answers 503: retries, then the breaker opens and the fallback answers'],
  garbled: ['Garbled', 'answers with what is not JSON'],
  away: ['Away', `cuts connections for ${SECONDS} s: producers and consumers wait, readiness is DOWN, nothing is lost`],
}

/** Gives a target this fault, or ends it with `none`. */
export function setFault(target: string, mode: FaultMode): Promise<unknown> {
  const body = mode === 'away' ? { mode, seconds: SECONDS } : { mode }
  return send('PUT', `/api/faults/${encodeURIComponent(target)}`, body)
}
