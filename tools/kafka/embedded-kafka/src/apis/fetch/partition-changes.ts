import { setImmediate } from 'node:timers/promises'
import type { Partition } from '../../topics/partition.ts'

interface PartitionChanges {
  /** Resolves after the next change (at once when there was one since the last call), at `deadline` or when `signal` is aborted. */
  next(deadline: number, signal: AbortSignal): Promise<void>
  end(): void
}

/** Watches partitions until `end` is called. */
export function watchPartitions(partitions: Iterable<Pick<Partition, 'onChange'>>): PartitionChanges {
  let isChanged = false
  let wake: (() => void) | undefined
  const stops = [...partitions].map((partition) =>
    partition.onChange(() => {
      isChanged = true
      wake?.()
    }),
  )
  return {
    async next(deadline, signal) {
      if (!isChanged && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const end = (): void => {
            clearTimeout(timer)
            signal.removeEventListener('abort', end)
            wake = undefined
            resolve()
          }
          const timer = setTimeout(end, Math.max(0, deadline - performance.now()))
          wake = end
          signal.addEventListener('abort', end, { once: true })
        })
      }
      isChanged = false
      // Changes of the same turn of the event loop are read together.
      await setImmediate()
    },
    end: () => {
      for (const stop of stops) stop()
    },
  }
}
