import type { BreakerState, BreakerView } from '../../src/api/breakers.ts'
import type { Band } from '../pieces/band.ts'
import { Bands } from '../pieces/bands.tsx'
import { clock, duration, rate } from '../pieces/format.ts'
import { State } from '../pieces/state.tsx'

const SHOWN_MS = 600_000
/** Colours of the states. */
export const BREAKER_HEALTH: Readonly<Record<BreakerState, Band['health']>> = {
  closed: 'up',
  open: 'down',
  'half-open': 'warn',
}

/** Circuit breakers with their states over the last ten minutes; nothing in a system without one. */
export function Breakers({ items }: { items: readonly BreakerView[] }) {
  if (items.length === 0) return null
  return (
    <section class="card" aria-labelledby="breakers">
      <h2 id="breakers">Circuit breakers, the last ten minutes</h2>
      <ul class="breakers">
        {items.map((breaker) => (
          <Breaker key={`${breaker.service} ${breaker.name}`} breaker={breaker} />
        ))}
      </ul>
    </section>
  )
}

function Breaker({ breaker }: { breaker: BreakerView }) {
  const { service, name, state, fallbackRate, changes } = breaker
  const now = Date.now()
  return (
    <li>
      <strong>{name}</strong> of {service} <State state={state} health={BREAKER_HEALTH[state]} /> {nextTry(breaker)}
      {fallbackRate > 0 && <span class="chip warn">{rate(fallbackRate)} answered by the fallback</span>}
      <Bands bands={bandsOf(breaker, now)} from={now - SHOWN_MS} to={now} />
      {changes.length > 0 && (
        <details>
          <summary>Changes of state</summary>
          <ol class="mono">
            {changes.toReversed().map(({ at, from, to }) => (
              <li key={at}>
                {clock(at)} {from} to {to}
              </li>
            ))}
          </ol>
        </details>
      )}
    </li>
  )
}

/** `next try in 3.2 s`; empty for a breaker that is not open. */
export function nextTry({ retryAt }: Pick<BreakerView, 'retryAt'>): string {
  if (retryAt === undefined) return ''
  const ms = retryAt - Date.now()
  return ms <= 0 ? 'next call is tried' : `next try in ${duration(Math.ceil(ms / 100) * 100)}`
}

/** The states of the last ten minutes, the oldest first. */
function bandsOf({ state, changes }: BreakerView, now: number): readonly Band[] {
  const begin = now - SHOWN_MS
  const recent = changes.filter(({ at }) => at > begin)
  const first = recent[0]?.from ?? state
  const starts = [{ state: first, from: begin }, ...recent.map(({ at, to }) => ({ state: to, from: at }))]
  return starts.map((band, index) => ({
    ...band,
    health: BREAKER_HEALTH[band.state],
    to: starts[index + 1]?.from ?? now,
  }))
}
