import type { FaultMode } from '../../src/api/requests.ts'
import { send } from '../api.ts'

/** How long a broker is away. */
const SECONDS = 30

export const MODES: Readonly<Record<FaultMode, readonly [name: string, effect: string]>> = {
  none: ['End fault', 'Answers as usual.'],
  slow: ['Slow', 'Answers after 3 s: callers time out and retry.'],
  failing: ['Failing', 'Answers 503: callers retry, then the circuit breaker opens and the fallback answers.'],
  garbled: ['Garbled', 'Answers with invalid JSON.'],
  away: [
    'Away',
    `Cuts connections for ${SECONDS} s: producers and consumers wait, readiness is DOWN, no record is lost.`,
  ],
}

/** Sets this fault of a target; `none` ends it. */
export function setFault(target: string, mode: FaultMode): Promise<unknown> {
  const body = mode === 'away' ? { mode, seconds: SECONDS } : { mode }
  return send('PUT', `/api/faults/${encodeURIComponent(target)}`, body)
}
