import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { ServiceView, SinkView } from '../../src/api/services.ts'
import { address } from '../address.ts'
import type { Items } from '../api.ts'
import { useLatest } from '../live.ts'
import { count } from '../pieces/format.ts'
import { Empty, Problem } from '../pieces/notice.tsx'
import { useRoving } from '../pieces/roving.ts'
import { ServiceCard } from './service-card.tsx'
import { ServiceDetail } from './service-detail.tsx'
import { SinkCard } from './sink-card.tsx'
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
        <p>{services !== undefined && tally(services)}</p>
      </div>
      <Problem problem={problem.value} isLoading={services === undefined} />
      {services?.length === 0 && <Empty>Nothing runs yet: services appear here as pnpm start starts them.</Empty>}
      <Problem problem={sinks.problem.value} />
      <Groups services={services ?? []} sinks={sinks.value.value?.items ?? []} usage={usage.value} />
    </>
  )
}

/** The sink of `services/sinks/NAMESPACE/NAME`, or those of an app, by whose name lines and spans know it: `services/APP`. */
function sinksOf(sinks: readonly SinkView[], [chosen, namespace, name]: readonly string[]): readonly SinkView[] {
  if (name === undefined) return sinks.filter(({ app }) => app === chosen)
  return sinks.filter((sink) => sink.namespace === namespace && sink.name === name)
}

function tally(services: readonly ServiceView[]): string {
  const processes = services.filter(({ kind }) => kind !== 'sink')
  const ready = processes.filter(({ state }) => state === 'ready').length
  return `${count(ready, 'is', 'are')} ready of ${processes.length}.`
}

interface GroupsProps {
  readonly services: readonly ServiceView[]
  readonly sinks: readonly SinkView[]
  readonly usage: ReadonlyMap<string, Usage>
}

function Groups({ services, sinks, usage }: GroupsProps) {
  const cardsOf = (wanted: ServiceView['kind']) =>
    services
      .filter(({ kind }) => kind === wanted)
      .map((service) => (
        <li key={service.name} class="card" data-row="" tabIndex={-1}>
          <ServiceCard service={service} usage={usage.get(usageKey(service))} />
        </li>
      ))
  const sinkCards = sinks.map((sink) => (
    <li key={`${sink.namespace}/${sink.name}`} class="card" data-row="" tabIndex={-1}>
      <SinkCard sink={sink} processes={services} usage={usage} />
    </li>
  ))
  return (
    <div {...useRoving<HTMLDivElement>()} class="stack">
      <Group title="Services" cards={cardsOf('app')} />
      <Group title="Sinks" cards={sinkCards} />
      <Group title="Stand-ins of remote services" cards={cardsOf('stand-in')} />
      <Group title="This console" cards={cardsOf('console')} />
    </div>
  )
}

function Group({ title, cards }: { title: string; cards: readonly VNode[] }) {
  if (cards.length === 0) return null
  return (
    <section class="stack" aria-label={title}>
      <h2>{title}</h2>
      <ul class="cards">{cards}</ul>
    </section>
  )
}
