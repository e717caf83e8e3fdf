import type { VNode } from 'preact'
import type { ServiceView, SinkView } from '../../src/api/services.ts'
import type { Overview } from '../../src/api/system.ts'
import { Empty } from '../pieces/notice.tsx'
import { useRoving } from '../pieces/roving.ts'
import { Scroll } from '../pieces/scroll.tsx'
import { COLUMNS, ServiceRow, SinkRow } from './service-rows.tsx'

interface TableProps {
  readonly services: readonly ServiceView[]
  readonly sinks: readonly SinkView[]
  readonly overview: Overview | undefined
  /** True for names and states to show. */
  readonly isWanted: (name: string, state: string) => boolean
}

/** All processes and sinks, a row each, in groups. */
export function ServicesTable({ services, sinks, overview, isWanted }: TableProps) {
  const roving = useRoving<HTMLTableElement>()
  const rowsOf = (wanted: ServiceView['kind']) =>
    services
      .filter(({ kind, name, state }) => kind === wanted && isWanted(name, state))
      .map((service) => <ServiceRow key={service.name} service={service} overview={overview} />)
  const sinkRows = sinks
    .filter(({ name, state }) => isWanted(name, state))
    .map((sink) => (
      <SinkRow key={`${sink.namespace}/${sink.name}`} sink={sink} processes={services} overview={overview} />
    ))
  const groups = [
    ['Services', rowsOf('app')],
    ['Sinks', sinkRows],
    ['Stand-ins', rowsOf('stand-in')],
    ['Console', rowsOf('console')],
  ] as const
  if (groups.every(([, rows]) => rows.length === 0)) return <Empty>No services match.</Empty>
  return (
    <Scroll label="Table of services" class="card table-card">
      <table {...roving} class="dense services">
        <thead>
          <tr>
            {COLUMNS.map(([title, kind]) => (
              <th key={title} scope="col" class={kind}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(([title, rows]) => (
          <Group key={title} title={title} rows={rows} />
        ))}
      </table>
    </Scroll>
  )
}

function Group({ title, rows }: { title: string; rows: readonly VNode[] }) {
  if (rows.length === 0) return null
  return (
    <tbody>
      <tr class="group">
        <th scope="rowgroup" colSpan={COLUMNS.length}>
          {title}
        </th>
      </tr>
      {rows}
    </tbody>
  )
}
