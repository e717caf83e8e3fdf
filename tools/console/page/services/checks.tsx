import type { HealthCheckView, HealthView } from '../../src/api/services.ts'
import { usePolled } from '../live.ts'
import { Problem } from '../pieces/notice.tsx'
import { State } from '../pieces/state.tsx'
import { dataText } from './service-card.tsx'

const EVERY_MS = 5000

const KINDS: Readonly<Record<string, string>> = {
  live: 'Liveness',
  ready: 'Readiness',
  started: 'Startup',
  well: 'Wellness',
}

export function Checks({ name }: { name: string }) {
  const { value, problem } = usePolled<HealthView>('/api/health', EVERY_MS)
  const service = value.value?.services.find((one) => one.name === name)
  if (value.value !== undefined && service === undefined) return null
  return (
    <section class="card stack" aria-label="Health checks">
      <h2>Health checks</h2>
      <Problem problem={problem.value} isLoading={value.value === undefined} />
      {service?.error !== undefined && <p class="notice bad">{service.error}</p>}
      <div class="cards">
        {Object.entries(service?.reports ?? {})
          .filter(([, { checks }]) => checks.length > 0)
          .map(([kind, { checks }]) => (
            <div key={kind} class="stack">
              <h3>{KINDS[kind] ?? kind}</h3>
              <ul class="checks">
                {checks.map((check) => (
                  <Check key={check.name} check={check} />
                ))}
              </ul>
            </div>
          ))}
      </div>
    </section>
  )
}

function Check({ check: { name, status, data } }: { check: HealthCheckView }) {
  return (
    <li>
      <span class="row">
        <State state={status} /> <span class="break">{name}</span>
      </span>
      <small class="muted break">{dataText(data)}</small>
    </li>
  )
}
