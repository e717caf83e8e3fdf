import type { ServiceView } from '../../src/api/services.ts'
import { setQuery } from '../address.ts'
import type { Items } from '../api.ts'
import { usePolled } from '../live.ts'
import { Choice } from '../pieces/field.tsx'

/** Which service's lines or traces are shown, in the address; the gateway has some, too, and so may one that is gone. */
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
