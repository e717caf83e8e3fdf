import type { ServiceView } from '../../src/api/services.ts'

const KEPT = 60

export interface Usage {
  readonly cpu: readonly number[]
  readonly memory: readonly number[]
}

/** Instances of a sink have one name. */
export function usageKey({ name, pid }: ServiceView): string {
  return `${name} ${pid ?? ''}`
}

/** The last two minutes of each service, as this view saw them. */
export function addUsage(before: ReadonlyMap<string, Usage>, services: readonly ServiceView[]): Map<string, Usage> {
  return new Map(
    services.map((service) => {
      const { cpu = 0, memoryBytes = 0 } = service
      const key = usageKey(service)
      const known = before.get(key) ?? { cpu: [], memory: [] }
      return [key, { cpu: [...known.cpu, cpu].slice(-KEPT), memory: [...known.memory, memoryBytes].slice(-KEPT) }]
    }),
  )
}
