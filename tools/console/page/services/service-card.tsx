import type { HealthCheckView, ServiceView } from '../../src/api/services.ts'
import { href } from '../address.ts'
import { bytes, count, duration, short } from '../pieces/format.ts'
import { Sparkline } from '../pieces/sparkline.tsx'
import { State } from '../pieces/state.tsx'
import { VerdictsOf } from '../verdicts/verdicts.tsx'
import { ServiceAction } from './service-action.tsx'
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
      <VerdictsOf parts={['service', 'remote', 'kafka', 'channel'].map((kind) => `${kind}/${name}`)} />
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

function Failing({ checks }: { checks: readonly HealthCheckView[] }) {
  return (
    <ul class="notice bad" aria-label="Failing checks">
      {checks.map(({ name, data }) => (
        <li key={name}>
          <strong>{name}</strong> {dataText(data)}
        </li>
      ))}
    </ul>
  )
}

export function dataText(data: HealthCheckView['data'] = {}): string {
  return Object.entries(data)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}

export function UsageCurves({ service: { cpu, memoryBytes, name }, usage }: CardProps) {
  if (cpu === undefined && memoryBytes === undefined) return null
  const curves = [
    { title: 'CPU', text: `${short((cpu ?? 0) * 100)} %`, values: usage?.cpu, most: 0.1 },
    { title: 'Memory', text: bytes(memoryBytes ?? 0), values: usage?.memory, most: ENOUGH_MEMORY },
  ]
  return (
    <dl class="usage">
      {curves.map(({ title, text, values = [], most }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>
            {text}
            <Sparkline values={values} most={most} label={`${title} of ${name}: ${text}`} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Actions({ service }: { service: ServiceView }) {
  const { kind, state, pid } = service
  if (state === 'stopped') return <ServiceAction service={service} action="start" />
  return (
    <>
      <ServiceAction service={service} action="restart" />
      {/* A console that is stopped could not be started from here. */}
      {kind !== 'console' && <ServiceAction service={service} action="stop" />}
      {kind !== 'console' && pid !== undefined && <ServiceAction service={service} action="kill" />}
    </>
  )
}
