import { useSignal } from '@preact/signals'
import type { ServiceView, VariableView } from '../../src/api/services.ts'
import type { Items } from '../api.ts'
import { usePolled } from '../live.ts'
import { DetailHeading } from '../pieces/detail-heading.tsx'
import { SearchField } from '../pieces/field.tsx'
import { Filters } from '../pieces/filters.tsx'
import { Empty, Loading, Problem } from '../pieces/notice.tsx'
import { Scroll } from '../pieces/scroll.tsx'
import { setter } from '../setter.ts'
import { Checks } from './checks.tsx'
import { ServiceCard } from './service-card.tsx'
import type { Usage } from './usage.ts'

interface DetailProps {
  readonly name: string
  readonly service: ServiceView | undefined
  readonly usage: Usage | undefined
  readonly isKnown: boolean
}

export function ServiceDetail({ name, service, usage, isKnown }: DetailProps) {
  return (
    <>
      <DetailHeading view="services" list="Services">
        {name}
      </DetailHeading>
      {service === undefined && (isKnown ? <Empty>No service has this name.</Empty> : <Loading />)}
      {service !== undefined && (
        <div class="card">
          <ServiceCard service={service} usage={usage} />
        </div>
      )}
      <Checks name={name} />
      <Configuration name={name} pid={service?.pid} />
    </>
  )
}

const ORIGINS: Readonly<Record<VariableView['from'], readonly [text: string, title: string]>> = {
  environment: ['environment', 'set in the environment of pnpm start'],
  system: ['system.ts', 'set in system.ts for this service'],
  start: ['pnpm start', 'address of a process that pnpm start runs'],
  default: ['default', 'not set'],
}

/** The configuration changes only with the process, and each answer takes a process of its own. */
const RARELY_MS = 600_000

/** The variables in force, and where each value came from; variables that are set come first. */
function Configuration({ name, pid }: { name: string; pid: number | undefined }) {
  const { value, problem } = usePolled<Items<VariableView>>(
    `/api/services/${encodeURIComponent(name)}/configuration`,
    RARELY_MS,
    pid,
  )
  const filter = useSignal('')
  const variables = value.value?.items
  const wanted = filter.value.toLowerCase()
  const shown = (variables ?? [])
    .filter(({ name: key, value: text = '' }) => `${key} ${text}`.toLowerCase().includes(wanted))
    .toSorted((a, b) => Number(a.from === 'default') - Number(b.from === 'default'))
  return (
    <section class="card stack" aria-label="Configuration">
      <div class="head">
        <h2>Configuration</h2>
        <Filters>
          <SearchField label="Variable" value={filter.value} onValue={setter(filter)} />
        </Filters>
      </div>
      <Problem problem={problem.value} isLoading={variables === undefined} />
      {variables !== undefined && shown.length === 0 && <Empty>No variables match.</Empty>}
      {shown.length > 0 && (
        <Scroll label="Variables">
          <table>
            <thead>
              <tr>
                <th scope="col">Variable</th>
                <th scope="col">Value</th>
                <th scope="col">From</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((variable) => (
                <Variable key={variable.name} variable={variable} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  )
}

function Variable({ variable: { name, value, from, expected } }: { variable: VariableView }) {
  const [text, title] = ORIGINS[from]
  return (
    <tr>
      <td class="mono break">
        {name}
        {expected !== undefined && <small class="muted expected">{expected}</small>}
      </td>
      <td class="mono break">{value ?? <span class="muted">not set</span>}</td>
      <td>
        <span class={`chip ${from === 'default' ? '' : 'good'}`} title={title}>
          {text}
        </span>
      </td>
    </tr>
  )
}
