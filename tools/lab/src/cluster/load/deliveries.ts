import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** How often each sink got which event, by what `followSinks` wrote. A line that is there twice was read twice. */
export type Deliveries = Readonly<Record<string, ReadonlyMap<string, number>>>

export async function readDeliveries(log: string): Promise<Deliveries> {
  const deliveries: Record<string, Map<string, number>> = {}
  const lines = new Set<string>()
  for await (const line of createInterface({ input: createReadStream(log) })) {
    if (!line.includes('"event received"') || lines.has(line)) continue
    lines.add(line)
    const { sink, event } = JSON.parse(line)
    const times = deliveries[sink] ?? new Map<string, number>()
    deliveries[sink] = times
    times.set(event.id, (times.get(event.id) ?? 0) + 1)
  }
  return deliveries
}
