import type { BreakerState, BreakerView } from '../../src/api/breakers.ts'
import { usePolled } from '../live.ts'
import { clock, duration, rate } from '../pieces/format.ts'
import { State } from '../pieces/state.tsx'

const POLL_MS = 1000
const SHOWN_MS = 600_000
const HEALTH: Readonly<Record<BreakerState, string>> = { closed: 'up', open: 'down', 'half-open': 'warn' }

interface Band {
  readonly state: BreakerState
  readonly from: number
  readonly ms: number
}

/** Circuit breakers with their states over the last ten minutes; nothing in a system without one. */
export function Breakers() {
  const { value } = usePolled<{ readonly items: readonly BreakerView[] }>('/api/breakers', POLL_MS)
  const items = value.value?.items ?? []
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
  const bands = bandsOf(breaker, Date.now())
  return (
    <li>
      <strong>{name}</strong> of {service} <State state={state} health={HEALTH[state]} /> {nextTry(breaker)}
      {fallbackRate > 0 && <span class="chip warn">{rate(fallbackRate)} answered by the fallback</span>}
      <div class="bands" aria-hidden="true">
        {bands.map((band) => (
          <span key={band.from} class={HEALTH[band.state]} style={{ flexGrow: band.ms }} title={bandText(band)} />
        ))}
      </div>
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
  return starts.map((band, index) => ({ ...band, ms: (starts[index + 1]?.from ?? now) - band.from }))
}

function bandText({ state, from, ms }: Band): string {
  return `${state} for ${duration(ms)} from ${clock(from)}`
}
