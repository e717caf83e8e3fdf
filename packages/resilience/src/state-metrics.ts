import type { CircuitBreaker, CircuitState } from './circuit-breaker.ts'
import type { MetricSink } from './metric-sink.ts'

const STATES: readonly CircuitState[] = ['closed', 'open', 'half-open']

/** `half-open` as MicroProfile's tags write it: `halfOpen`. */
export function camelCase(text: string): string {
  return text.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}

/**
 * `ft.circuitbreaker.state.total`, the time in each state in nanoseconds, including the current state up to now; and SmallRye's
 * `ft.circuitbreaker.state.current`, 1 for the current state.
 */
export function watchState(breaker: CircuitBreaker, method: string, sink: Pick<MetricSink, 'watch'>): void {
  const spentMs: Record<CircuitState, number> = { closed: 0, open: 0, 'half-open': 0 }
  let since = performance.now()
  breaker.onStateChange(({ from }) => {
    const now = performance.now()
    spentMs[from] += now - since
    since = now
  })
  const values = (read: (state: CircuitState) => number) =>
    STATES.map((state) => ({ tags: { method, state: camelCase(state) }, value: read(state) }))

  sink.watch(
    'ft.circuitbreaker.state.total',
    { type: 'counter', help: 'Nanoseconds that the circuit spent in each state.' },
    () => {
      const present = performance.now() - since
      return values((state) => Math.round((spentMs[state] + (state === breaker.state ? present : 0)) * 1e6))
    },
  )
  sink.watch(
    'ft.circuitbreaker.state.current',
    { type: 'gauge', help: 'Whether the circuit is in the state (1) or not (0).' },
    () => values((state) => (state === breaker.state ? 1 : 0)),
  )
}
