import { BulkheadError } from './errors.ts'
import { GuardPolicy, type PolicyDeps } from './guard-policy.ts'
import { optionRules } from './option-rules.ts'

/** Names and defaults are MicroProfile Fault Tolerance 4.1's. */
export interface BulkheadOptions {
  /** Most calls in flight. Default 10. */
  readonly value?: number
  /** Most calls that wait for a slot, in order of arrival; further ones are refused. Default 10. */
  readonly waitingTaskQueue?: number
}

/** How many calls are in a bulkhead now. */
export interface BulkheadOccupancy {
  readonly running: number
  readonly waiting: number
}

export function createBulkhead(options: BulkheadOptions, { name, now, emit }: PolicyDeps) {
  const rules = optionRules(name)
  const value = rules.integer('bulkhead.value', options.value ?? 10, 1)
  const waitingTaskQueue = rules.integer('bulkhead.waitingTaskQueue', options.waitingTaskQueue ?? 10, 0)
  const queue = new Set<() => void>()
  const occupancy = {
    running: 0,
    get waiting() {
      return queue.size
    },
  }

  /** Resolves when a call that ends hands over its slot. */
  function slotOf(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = () => {
      queue.delete(resolve)
      reject(signal.reason)
    }
    queue.add(resolve)
    signal.addEventListener('abort', giveUp)
    return promise.finally(() => signal.removeEventListener('abort', giveUp))
  }

  function handOver(): void {
    const [next] = queue
    if (next === undefined) occupancy.running -= 1
    else {
      queue.delete(next)
      next()
    }
  }

  const policy = new GuardPolicy(async (call, signal) => {
    if (occupancy.running === value && queue.size === waitingTaskQueue) {
      emit({ type: 'bulkhead-call', result: 'rejected' })
      throw new BulkheadError(name, value, waitingTaskQueue)
    }
    emit({ type: 'bulkhead-call', result: 'accepted' })
    const acceptedAt = now()
    if (occupancy.running === value) await slotOf(signal)
    else occupancy.running += 1
    const startedAt = now()
    emit({ type: 'bulkhead-started', waitedMs: startedAt - acceptedAt })
    try {
      return await call({ signal })
    } finally {
      handOver()
      emit({ type: 'bulkhead-finished', durationMs: now() - startedAt })
    }
  })

  return { policy, occupancy }
}
