import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { ServiceView } from '../../src/api/services.ts'
import { address } from '../address.ts'
import type { Items } from '../api.ts'
import { useLatest } from '../live.ts'
import { count } from '../pieces/format.ts'
import { Empty, Problem } from '../pieces/notice.tsx'
import { ServiceCard } from './service-card.tsx'
import { ServiceDetail } from './service-detail.tsx'
import { SinkCard } from './sink-card.tsx'
import { addUsage, type Usage, usageKey } from './usage.ts'

export function ServicesView() {
  const { value, problem } = useLatest<Items<ServiceView>>('/api/services')
  const usage = useSignal<ReadonlyMap<string, Usage>>(new Map())
  const services = value.value?.items
  useEffect(() => {
    if (services !== undefined) usage.value = addUsage(usage.value, services)
  }, [services])
  const [chosen] = address.value.parts
  if (chosen !== undefined) {
    const service = services?.find(({ name }) => name === chosen)
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
      <Groups services={services ?? []} usage={usage.value} />
    </>
  )
}

function tally(services: readonly ServiceView[]): string {
  const ready = services.filter(({ state }) => state === 'ready').length
  return `${count(ready, 'is', 'are')} ready of ${services.length}.`
}

function Groups({ services, usage }: { services: readonly ServiceView[]; usage: ReadonlyMap<string, Usage> }) {
  const cardsOf = (wanted: ServiceView['kind']) =>
    services
      .filter(({ kind }) => kind === wanted)
      .map((service) => (
        <li key={service.name} class="card">
          <ServiceCard service={service} usage={usage.get(usageKey(service))} />
        </li>
      ))
  const awake = services.filter(({ kind }) => kind === 'sink')
  const sinks = [...Map.groupBy(awake, ({ name }) => name)].map(([name, instances]) => (
    <li key={name} class="card">
      <SinkCard name={name} instances={instances} usage={usage} />
    </li>
  ))
  return (
    <>
      <Group title="Services" cards={cardsOf('app')} />
      <Group title="Sinks that are awake" cards={sinks} />
      <Group title="Stand-ins of remote services" cards={cardsOf('stand-in')} />
      <Group title="This console" cards={cardsOf('console')} />
    </>
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
