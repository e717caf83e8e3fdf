import type { ServiceView, SinkView } from '../../src/api/services.ts'
import { href } from '../address.ts'
import { clock, count } from '../pieces/format.ts'
import { State } from '../pieces/state.tsx'
import { VerdictsOf, verdictsOf } from '../verdicts/verdicts.tsx'
import { UsageCurves } from './service-card.tsx'
import { type Usage, usageKey } from './usage.ts'

interface SinkProps {
  readonly sink: SinkView
  /** Processes of the system, those of sinks among them. */
  readonly processes: readonly ServiceView[]
  readonly usage: ReadonlyMap<string, Usage>
}

/** A sink with its instances. */
export function SinkCard({ sink, processes, usage }: SinkProps) {
  const { namespace, name, app, revision, state, reason, instances, lastCrash } = sink
  const parts = [`sink/${namespace}/${name}`]
  return (
    <article class="service stack" aria-label={name}>
      <div class="head">
        <h3>
          <a href={href('services', ['sinks', namespace, name])}>{name}</a>
        </h3>
        <State state={state} />
      </div>
      <p class="facts">
        {[count(instances.length, 'instance'), `app ${app}`, revision && `revision ${revision}`]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {reason !== undefined && verdictsOf(parts).length === 0 && <p class="muted break">{reason}</p>}
      <VerdictsOf parts={parts} />
      {lastCrash !== undefined && <LastCrash crash={lastCrash} app={app} />}
      {instances.length > 0 && (
        <ul class="stack">
          {instances.map((instance) => (
            <Instance key={instance.pid} instance={instance} latest={revision} processes={processes} usage={usage} />
          ))}
        </ul>
      )}
      <p class="row links">
        <a href={href('logs', [], { service: app })}>Logs</a>
        <a href={href('traces', [], { service: app })}>Traces</a>
        <a href={href('events')}>Events</a>
      </p>
    </article>
  )
}

interface InstanceProps extends Pick<SinkProps, 'processes' | 'usage'> {
  readonly instance: SinkView['instances'][number]
  readonly latest: string
}

function Instance({ instance: { pid, revision }, latest, processes, usage }: InstanceProps) {
  const process = processes.find((one) => one.pid === pid)
  return (
    <li>
      <p class="facts">
        pid {pid}
        {revision !== latest && <span class="chip">revision {revision}</span>}
      </p>
      {process !== undefined && <UsageCurves service={process} usage={usage.get(usageKey(process))} />}
    </li>
  )
}

function LastCrash({ crash, app }: { crash: NonNullable<SinkView['lastCrash']>; app: string }) {
  const { at, revision, reason, line } = crash
  const around = { from: String(at - AROUND_MS), to: String(at + AROUND_MS) }
  return (
    <div class="notice">
      <strong>Last crash</strong> at {clock(at).slice(0, 8)}, revision {revision}: {reason}
      <p class="mono break">
        {line.service} {line.level} {line.msg}
      </p>
      <a href={href('logs', [], { service: app, ...around })}>Log lines at that time</a>
    </div>
  )
}

/** Lines before and after a crash that its link shows. */
const AROUND_MS = 10_000
