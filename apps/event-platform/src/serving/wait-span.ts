import { tracing } from '@taproom/core/spans'
import type { Lease } from './instance-pool.ts'

/**
 * Waits for an instance in a span of the event or request that waits: its length is the time in the queue, `instance.start_ms` how long the
 * instance that it got took to be ready, if it was waiting for its start.
 */
export async function inWaitSpan(revision: string, wait: () => Promise<Lease>): Promise<Lease> {
  const traces = tracing()
  if (traces === undefined) return await wait()
  const waitingSince = performance.now()
  const attributes = { 'service.revision': revision }
  return await traces.during('@taproom/event-platform', 'wait for instance', { attributes }, async (span) => {
    const lease = await wait()
    const { startedAt, readyAt } = lease.start
    if (readyAt >= waitingSince) span?.setAttribute('instance.start_ms', readyAt - startedAt)
    return lease
  })
}
