import type { HealthCheckView, ServiceView } from '../../src/api/services.ts'
import { href } from '../address.ts'
import { send } from '../api.ts'
import { Action } from '../pieces/action.tsx'
import { bytes, count, duration, short } from '../pieces/format.ts'
import { Sparkline } from '../pieces/sparkline.tsx'
import { State } from '../pieces/state.tsx'
import type { Usage } from './usage.ts'

const ENOUGH_MEMORY = 64 * 1_048_576

interface CardProps {
  readonly service: ServiceView
  readonly usage: Usage | undefined
}

export function ServiceCard({ service, usage }: CardProps) {
  const { name, state } = service
  return (
    <article class="service stack" aria-label={name}>
      <div class="head">
        <h3>
          <a href={href('services', [name])}>{name}</a>
        </h3>
        <State state={state} />
      </div>
      <Facts service={service} />
      {service.failing.length > 0 && <Failing checks={service.failing} />}
      <UsageCurves service={service} usage={usage} />
      <div class="row">
        <Actions service={service} />
      </div>
      <p class="row links">
        <a href={href('logs', [], { service: name })}>Logs</a>
        <a href={href('traces', [], { service: name })}>Traces</a>
        <a href={href('metrics', [], { service: name })}>Metrics</a>
        <a href={href('services', [name])}>Configuration</a>
      </p>
    </article>
  )
}

function Facts({ service: { pid, port, startedAt, crashes, restarts } }: { service: ServiceView }) {
  const facts = [
    port === undefined ? undefined : `port ${port}`,
    pid === undefined ? undefined : `pid ${pid}`,
    startedAt === undefined ? undefined : `up ${duration(Math.max(0, Date.now() - startedAt))}`,
    restarts > 0 ? count(restarts, 'restart') : undefined,
  ]
  return (
    <p class="facts">
      {facts.filter((fact) => fact !== undefined).join(' · ') || 'no process'}
      {crashes > 0 && <span class="chip bad">{count(crashes, 'crash', 'crashes')}</span>}
    </p>
  )
}

/** Readiness checks that are DOWN, with what they say. */
export function Failing({ checks }: { checks: readonly HealthCheckView[] }) {
  return (
    <ul class="notice bad" aria-label="Failing checks">
      {checks.map(({ name, data = {} }) => (
        <li key={name}>
          <strong>{name}</strong>{' '}
          {Object.entries(data)
            .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
            .join(', ')}
        </li>
      ))}
    </ul>
  )
}

export function UsageCurves({ service: { cpu, memoryBytes, name }, usage }: CardProps) {
  if (cpu === undefined && memoryBytes === undefined) return null
  const cpuText = `${short((cpu ?? 0) * 100)} %`
  const memoryText = bytes(memoryBytes ?? 0)
  return (
    <dl class="usage">
      <div>
        <dt>CPU</dt>
        <dd>
          {cpuText}
          <Sparkline values={usage?.cpu ?? []} most={0.1} label={`CPU of ${name}: ${cpuText}`} />
        </dd>
      </div>
      <div>
        <dt>Memory</dt>
        <dd>
          {memoryText}
          <Sparkline values={usage?.memory ?? []} most={ENOUGH_MEMORY} label={`Memory of ${name}: ${memoryText}`} />
        </dd>
      </div>
    </dl>
  )
}

/** Buttons for what can be done in this state. */
export function Actions({ service: { name, kind, state, pid } }: { service: ServiceView }) {
  const act = (action: string) => () => send('POST', `/api/services/${encodeURIComponent(name)}/${action}`)
  if (state === 'stopped')
    return (
      <Action run={act('start')} done={`${name} started`} label={`Start ${name}`}>
        Start
      </Action>
    )
  const restart = (
    <Action run={act('restart')} done={`${name} restarted`} label={`Restart ${name}`}>
      Restart
    </Action>
  )
  // Nobody would be there to start it again.
  if (kind === 'console') return restart
  return (
    <>
      {restart}
      <Action run={act('stop')} done={`${name} stopped`} label={`Stop ${name}`}>
        Stop
      </Action>
      {pid !== undefined && (
        <Action run={act('kill')} done={`${name} killed`} label={`Kill ${name}`} kind="danger">
          Kill
        </Action>
      )}
    </>
  )
}
