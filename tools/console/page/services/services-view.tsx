import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ServiceView } from '../../src/api/services.ts'
import { address } from '../address.ts'
import type { Items } from '../api.ts'
import { useLatest } from '../live.ts'
import { count } from '../pieces/format.ts'
import { Empty, Loading, Problem } from '../pieces/notice.tsx'
import { ServiceCard } from './service-card.tsx'
import { ServiceDetail } from './service-detail.tsx'
import { SinkCard } from './sink-card.tsx'
import { addUsage, type Usage, usageKey } from './usage.ts'

const KINDS = [
  ['app', 'Services'],
  ['stand-in', 'Stand-ins of remote services'],
  ['console', 'This console'],
] as const

/** All services as cards, or one of them with its configuration. */
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
      <Problem problem={problem.value} />
      {services === undefined && problem.value === undefined && <Loading />}
      {services?.length === 0 && <Empty>Nothing runs yet: services appear here as pnpm start starts them.</Empty>}
      <Groups services={services ?? []} usage={usage.value} />
    </>
  )
}

function tally(services: readonly ServiceView[]): string {
  const ready = services.filter(({ state }) => state === 'ready').length
  return `${count(ready, 'is', 'are')} ready of ${services.length}.`
}

interface GroupsProps {
  readonly services: readonly ServiceView[]
  readonly usage: ReadonlyMap<string, Usage>
}

function Groups({ services, usage }: GroupsProps) {
  const sinks = Map.groupBy(
    services.filter(({ kind }) => kind === 'sink'),
    ({ name }) => name,
  )
  const groups = KINDS.map(([kind, title]) => ({
    title,
    cards: services
      .filter((service) => service.kind === kind)
      .map((service) => ({
        name: service.name,
        card: <ServiceCard service={service} usage={usage.get(usageKey(service))} />,
      })),
  }))
  const awake = [...sinks].map(([name, instances]) => ({
    name,
    card: <SinkCard name={name} instances={instances} usage={usage} />,
  }))
  return (
    <>
      {[...groups.slice(0, 1), { title: 'Sinks that are awake', cards: awake }, ...groups.slice(1)]
        .filter(({ cards }) => cards.length > 0)
        .map(({ title, cards }) => (
          <section key={title} class="stack" aria-label={title}>
            <h2>{title}</h2>
            <ul class="cards">
              {cards.map(({ name, card }) => (
                <li key={name} class="card">
                  {card}
                </li>
              ))}
            </ul>
          </section>
        ))}
    </>
  )
}
