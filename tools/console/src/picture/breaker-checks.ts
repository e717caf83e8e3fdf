import type { BreakerState } from '../api/breakers.ts'
import type { HealthView } from '../api/services.ts'

/** A circuit breaker as the wellness check of its service shows it. */
export interface BreakerCheck {
  readonly service: string
  /** Name of the check. */
  readonly check: string
  /** Name of the check without `circuit breaker`. */
  readonly name: string
  readonly state: BreakerState
  /** How long the breaker stays open; 0 when it is not open. */
  readonly retryAfterMs: number
}

const CHECK = /^(.*?) ?circuit breaker$/i
const STATES: readonly BreakerState[] = ['closed', 'open', 'half-open']

/** The state that a value names; undefined for other values. */
export function breakerState(value: unknown): BreakerState | undefined {
  return STATES.find((state) => state === value)
}

/** The circuit breakers of all services. One that is switched off is left out. */
export function breakerChecks({ services }: HealthView): readonly BreakerCheck[] {
  return services.flatMap(({ name: service = '', reports }) =>
    (reports?.['well']?.checks ?? []).flatMap(({ name: check, data = {} }) => {
      const [, name = ''] = CHECK.exec(check) ?? []
      const state = breakerState(data['state'])
      if (name === '' || state === undefined) return []
      const { retryAfterMs } = data
      return { service, check, name, state, retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : 0 }
    }),
  )
}
