import { bulkhead, isBulkheadRejectedError } from 'cockatiel'
import { BulkheadError } from './errors.ts'
import type { Layer } from './layer.ts'
import type { LayerDeps } from './layer-deps.ts'
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

export function createBulkhead(options: BulkheadOptions, { name, now, emit }: LayerDeps) {
  const rules = optionRules(name)
  const value = rules.integer('bulkhead.value', options.value ?? 10, 1)
  const waitingTaskQueue = rules.integer('bulkhead.waitingTaskQueue', options.waitingTaskQueue ?? 10, 0)
  const policy = bulkhead(value, waitingTaskQueue)
  const occupancy = { running: 0, waiting: 0 }

  const run = async <T>(start: () => Promise<T>, acceptedAt: number): Promise<T> => {
    const startedAt = now()
    occupancy.running += 1
    emit({ type: 'bulkhead-started', waitedMs: startedAt - acceptedAt })
    try {
      return await start()
    } finally {
      occupancy.running -= 1
      emit({ type: 'bulkhead-finished', durationMs: now() - startedAt })
    }
  }

  const layer: Layer = (within) => async (call, signal) => {
    signal.throwIfAborted()
    // cockatiel gives a free slot to a waiting call one microtask late: a new call must not take it in between.
    while (occupancy.waiting > 0 && policy.executionSlots > 0) await undefined
    if (policy.executionSlots === 0 && policy.queueSlots === 0) {
      emit({ type: 'bulkhead-call', result: 'rejected' })
      throw new BulkheadError(name, value, waitingTaskQueue)
    }
    emit({ type: 'bulkhead-call', result: 'accepted' })
    const acceptedAt = now()
    const start = () => run(() => within(call, signal), acceptedAt)
    if (policy.executionSlots > 0) return policy.execute(start, signal)

    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason)
      const leaveQueue = () => {
        occupancy.waiting -= 1
        signal.removeEventListener('abort', abort)
      }
      occupancy.waiting += 1
      let isWaiting = true
      signal.addEventListener('abort', abort, { once: true })
      policy
        .execute(() => {
          isWaiting = false
          leaveQueue()
          return start()
        }, signal)
        .then(resolve, (error: unknown) => {
          if (isWaiting) leaveQueue()
          reject(isBulkheadRejectedError(error) ? new BulkheadError(name, value, waitingTaskQueue) : error)
        })
    })
  }

  return { layer, occupancy }
}
