import { useSignal } from '@preact/signals'
import type { OperationView } from '../../src/api/requests.ts'
import { address, href } from '../address.ts'
import type { Items } from '../api.ts'
import { usePolled } from '../live.ts'
import { SearchField } from '../pieces/field.tsx'
import { Filters } from '../pieces/filters.tsx'
import { Empty, Problem } from '../pieces/notice.tsx'
import { setter } from '../setter.ts'
import { OperationForm } from './operation-form.tsx'

const RARELY_MS = 60_000

export function TryView() {
  const { value, problem } = usePolled<Items<OperationView>>('/api/operations', RARELY_MS)
  const filter = useSignal('')
  // Operations that every service has come last.
  const operations = value.value?.items.toSorted((a, b) => Number(isManagement(a)) - Number(isManagement(b)))
  const [method, ...rest] = address.value.parts
  // `#/try/GET/%2Fmovie`, and as a person writes it: `#/try/GET/movie`.
  const path = `/${rest.join('/')}`.replace('//', '/')
  const chosen =
    method === undefined ? operations?.[0] : operations?.find((one) => one.method === method && one.path === path)
  const wanted = filter.value.toLowerCase()
  const shown = (operations ?? []).filter((one) => nameOf(one).toLowerCase().includes(wanted))
  return (
    <>
      <h1>Requests</h1>
      <Problem problem={problem.value} isLoading={operations === undefined} />
      {operations?.length === 0 && <Empty>No operations: no service describes one at /q/openapi.</Empty>}
      {operations !== undefined && operations.length > 0 && (
        <div class="try">
          <nav class="card operations" aria-label="Operations">
            <Filters>
              <SearchField label="Operation" value={filter.value} onValue={setter(filter)} />
            </Filters>
            <ul>
              {shown.map((one) => (
                <li key={nameOf(one)}>
                  <a href={href('try', [one.method, one.path])} aria-current={one === chosen ? 'true' : undefined}>
                    <span class={`method ${one.method}`}>{one.method}</span> <span class="path">{one.path}</span>
                    <small>{one.summary}</small>
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          {chosen === undefined ? (
            <Empty>
              No service describes {method} {path}. Choose an operation of the list.
            </Empty>
          ) : (
            <OperationForm key={nameOf(chosen)} operation={chosen} />
          )}
        </div>
      )}
    </>
  )
}

function isManagement({ path }: OperationView): boolean {
  return path.startsWith('/q/')
}

function nameOf({ method, path, summary }: OperationView): string {
  return `${method} ${path} ${summary}`
}
