import type { ServiceView } from '../../src/api/services.ts'
import { setQuery } from '../address.ts'
import type { Items } from '../api.ts'
import { usePolled } from '../live.ts'
import { Choice } from '../pieces/field.tsx'

/** A filter by service, kept in the address. The gateway and services that ended have log lines and traces, too. */
export function ServiceChoice({ query }: { query: URLSearchParams }) {
  const services = usePolled<Items<ServiceView>>('/api/services', 15_000)
  const chosen = query.get('service') ?? ''
  const names = new Set([...(services.value.value?.items ?? []).map(({ name }) => name), 'gateway', chosen])
  names.delete('')
  return (
    <Choice
      label="Service"
      value={chosen}
      options={[['', 'all'], ...[...names].sort()]}
      onValue={(service) => setQuery({ service })}
    />
  )
}
