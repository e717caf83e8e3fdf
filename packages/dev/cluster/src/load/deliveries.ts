import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** How often each sink got which event, by what `followSinks` wrote. */
export type Deliveries = Readonly<Record<string, ReadonlyMap<string, number>>>

export async function readDeliveries(log: string): Promise<Deliveries> {
  const deliveries: Record<string, Map<string, number>> = {}
  for await (const line of createInterface({ input: createReadStream(log) })) {
    if (!line.includes('"event received"')) continue
    const { sink, event } = JSON.parse(line)
    const times = deliveries[sink] ?? new Map<string, number>()
    deliveries[sink] = times
    times.set(event.id, (times.get(event.id) ?? 0) + 1)
  }
  return deliveries
}
