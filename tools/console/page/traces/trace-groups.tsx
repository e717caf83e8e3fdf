import type { TraceGroup } from '../../src/api/traces.ts'
import { href } from '../address.ts'
import type { Items } from '../api.ts'
import { useLatest } from '../live.ts'
import { clock, count, duration } from '../pieces/format.ts'
import { Empty, Problem } from '../pieces/notice.tsx'
import { useRoving } from '../pieces/roving.ts'
import { Scroll } from '../pieces/scroll.tsx'

/** Traces grouped by the name of their first span, with their number and durations. */
export function TraceGroups({ filters }: { filters: URLSearchParams }) {
  const { value, problem } = useLatest<Items<TraceGroup>>(`/api/traces?${filters}&group=name&limit=500`)
  const groups = value.value?.items
  const roving = useRoving<HTMLTableSectionElement>()
  return (
    <>
      <Problem problem={problem.value} isLoading={groups === undefined} />
      {groups?.length === 0 && <Empty>No traces match.</Empty>}
      {groups !== undefined && groups.length > 0 && (
        <Scroll label="Traces by name" class="card">
          <table>
            <thead>
              <tr>
                <th scope="col">Name</th>
                {['Traces', 'Failed', 'p50', 'p95', 'Max', 'Newest'].map((title) => (
                  <th key={title} scope="col" class="number">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody {...roving}>
              {groups.map((group) => (
                <GroupRow key={`${group.service}\n${group.name}`} group={group} filters={filters} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </>
  )
}

function GroupRow({ group, filters }: { group: TraceGroup; filters: URLSearchParams }) {
  const { name, service, traces, failed, p50Ms, p95Ms, maxMs, slowest, lastAt } = group
  return (
    <tr data-row="" tabIndex={-1}>
      <td class="break">
        <a href={href('traces', [], { ...Object.fromEntries(filters), service, name })}>{name}</a>{' '}
        <span class="muted">{service}</span>
      </td>
      <td class="number">{traces.toLocaleString('en')}</td>
      <td class="number">{failed > 0 ? <span class="chip bad">{count(failed, 'trace')}</span> : '0'}</td>
      <td class="number">{duration(p50Ms)}</td>
      <td class="number">{duration(p95Ms)}</td>
      <td class="number">
        <a href={href('traces', [slowest])}>{duration(maxMs)}</a>
      </td>
      <td class="number">{clock(lastAt).slice(0, 8)}</td>
    </tr>
  )
}
