import type { ServiceView } from '../../src/api/services.ts'
import { href } from '../address.ts'
import { count } from '../pieces/format.ts'
import { State } from '../pieces/state.tsx'
import { UsageCurves } from './service-card.tsx'
import { type Usage, usageKey } from './usage.ts'

interface SinkProps {
  readonly name: string
  /** Each is a process of its own. */
  readonly instances: readonly ServiceView[]
  readonly usage: ReadonlyMap<string, Usage>
}

/** A sink with its instances, which come and go with the events. */
export function SinkCard({ name, instances, usage }: SinkProps) {
  return (
    <article class="service stack" aria-label={name}>
      <div class="head">
        <h3>{name}</h3>
        <State state="ready" />
      </div>
      <p class="facts">{count(instances.length, 'instance')}</p>
      <ul class="stack">
        {instances.map((instance) => (
          <li key={usageKey(instance)}>
            <p class="facts">pid {instance.pid}</p>
            <UsageCurves service={instance} usage={usage.get(usageKey(instance))} />
          </li>
        ))}
      </ul>
      <p class="row links">
        <a href={href('logs', [], { service: name })}>Logs</a>
        <a href={href('events')}>Events</a>
      </p>
    </article>
  )
}
