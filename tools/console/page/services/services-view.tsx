import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ServiceView, SinkView } from '../../src/api/services.ts'
import type { Overview, SystemView } from '../../src/api/system.ts'
import { address, href, setQuery } from '../address.ts'
import type { Items } from '../api.ts'
import { useLatest, usePolled } from '../live.ts'
import { Choice, SearchField } from '../pieces/field.tsx'
import { Filters } from '../pieces/filters.tsx'
import { Empty, Problem } from '../pieces/notice.tsx'
import { ServiceDetail } from './service-detail.tsx'
import { ServicesTable } from './services-table.tsx'
import { SinkDetail } from './sink-detail.tsx'
import { addUsage, type Usage, usageKey } from './usage.ts'

export function ServicesView() {
  const { value, problem } = useLatest<Items<ServiceView>>('/api/services')
  const sinks = useLatest<Items<SinkView>>('/api/sinks')
  const usage = useSignal<ReadonlyMap<string, Usage>>(new Map())
  const services = value.value?.items
  useEffect(() => {
    if (services !== undefined) usage.value = addUsage(usage.value, services)
  }, [services])
  const { parts } = address.value
  const [chosen, , sink] = parts
  const found = sinksOf(sinks.value.value?.items ?? [], parts)
  if (sink !== undefined || found.length > 0) {
    const isKnown = sinks.value.value !== undefined
    const name = sink ?? chosen ?? ''
    return <SinkDetail name={name} sinks={found} isKnown={isKnown} processes={services ?? []} usage={usage.value} />
  }
  if (chosen !== undefined) {
    const service = services?.find(({ name, kind }) => name === chosen && kind !== 'sink')
    return (
      <ServiceDetail
        name={chosen}
        service={service}
        usage={service && usage.value.get(usageKey(service))}
        isKnown={services !== undefined}
      />
    )
  }
  return (
    <>
      <div class="head">
        <h1>Services</h1>
        <p class="row">
          {services !== undefined && tally(services)}
          <HealthPageLink />
        </p>
      </div>
      <Problem problem={problem.value} isLoading={services === undefined} />
      {services?.length === 0 && <Empty>No services yet. They appear here when pnpm start starts them.</Empty>}
      <Problem problem={sinks.problem.value} />
      {services !== undefined && services.length > 0 && (
        <ServiceList services={services} sinks={sinks.value.value?.items ?? []} />
      )}
    </>
  )
}

/** Path of the gateway's health page. */
const HEALTH_PAGE = '/q/health-ui/'

function HealthPageLink() {
  const system = usePolled<SystemView>('/api/system', RARELY_MS).value.value
  if (system === undefined) return null
  return (
    <a href={system.url + HEALTH_PAGE} target="_blank" rel="noreferrer">
      Health page
    </a>
  )
}

const RARELY_MS = 60_000

const WELL: readonly string[] = ['ready', 'asleep']

/** The table of services with its filters, and their traffic. */
function ServiceList({ services, sinks }: { services: readonly ServiceView[]; sinks: readonly SinkView[] }) {
  const overview = useLatest<Overview>('/api/overview')
  const { query } = address.value
  const text = query.get('text') ?? ''
  const state = query.get('state') ?? ''
  const isWanted = (name: string, its: string) =>
    name.toLowerCase().includes(text.toLowerCase()) && (state === '' || WELL.includes(its) === (state === 'ready'))
  return (
    <>
      <Filters clear={text === '' && state === '' ? undefined : href('services')}>
        <SearchField label="Name" value={text} onValue={(wanted) => setQuery({ text: wanted })} />
        <Choice
          label="State"
          value={state}
          options={[
            ['', 'all'],
            ['ready', 'ready or asleep'],
            ['other', 'not ready'],
          ]}
          onValue={(wanted) => setQuery({ state: wanted })}
        />
      </Filters>
      <ServicesTable services={services} sinks={sinks} overview={overview.value.value} isWanted={isWanted} />
    </>
  )
}

/** The sink of `services/sinks/NAMESPACE/NAME`, or the sinks of `services/APP`: log lines and spans have the name of the app. */
function sinksOf(sinks: readonly SinkView[], [chosen, namespace, name]: readonly string[]): readonly SinkView[] {
  if (name === undefined) return sinks.filter(({ app }) => app === chosen)
  return sinks.filter((sink) => sink.namespace === namespace && sink.name === name)
}

function tally(services: readonly ServiceView[]): string {
  const processes = services.filter(({ kind }) => kind !== 'sink')
  const ready = processes.filter(({ state }) => state === 'ready').length
  return `${ready} of ${processes.length} ready`
}
