import { getHeapStatistics } from 'node:v8'
import type { HealthCheck } from './check.ts'
import { assertMilliseconds, InvalidHealthOptionError } from './errors.ts'

/** How often the event loop is looked at, in milliseconds: seldom enough to cost nothing. */
const RESOLUTION_MS = 100

/** Options of {@link processCheck}. */
export interface ProcessCheckOptions {
  /** Default: `Process`. */
  readonly name?: string
  /** The longest the event loop may have been held up since the last run, in milliseconds. Default: 5000. */
  readonly maxEventLoopDelayMs?: number
  /** The part of the heap's limit that may be in use. Default: 0.95. */
  readonly maxHeapUsedRatio?: number
  /** Looks at the process. Default: at this one. */
  readonly measure?: () => ProcessState
}

/** What the check looks at. */
export interface ProcessState {
  /** The longest the event loop was held up since the last look, in milliseconds. */
  readonly eventLoopDelayMs: number
  readonly heapUsedBytes: number
  readonly heapLimitBytes: number
}

/**
 * Tells, for wellness, how event loop and heap are, and in `data.isWithinLimits` whether both are within their limits. Never DOWN, because wellness
 * is part of the combined report too: a process that is stuck answers no probe anyway, and one that answers again after a machine was short of
 * time is live and ready, and not mended by a restart. Looks at the event loop from its first run on, so that a
 * service that nobody asks pays nothing; does not keep the process alive. Dispose of it to stop looking.
 *
 * @throws InvalidHealthOptionError for a limit that can not work
 */
export function processCheck(options: ProcessCheckOptions = {}): HealthCheck & Disposable {
  const { name = 'Process', maxEventLoopDelayMs = 5000, maxHeapUsedRatio = 0.95 } = options
  assertMilliseconds('maxEventLoopDelayMs', maxEventLoopDelayMs, 1)
  if (!(maxHeapUsedRatio > 0 && maxHeapUsedRatio <= 1)) {
    throw new InvalidHealthOptionError(`maxHeapUsedRatio must be above 0 and at most 1, got ${maxHeapUsedRatio}`)
  }
  const observer = options.measure === undefined ? observeProcess() : { measure: options.measure, stop() {} }

  return {
    name,
    check() {
      const { eventLoopDelayMs, heapUsedBytes, heapLimitBytes } = observer.measure()
      const isWithinLimits =
        eventLoopDelayMs <= maxEventLoopDelayMs && heapUsedBytes <= heapLimitBytes * maxHeapUsedRatio
      const data = { isWithinLimits, eventLoopDelayMs: Math.round(eventLoopDelayMs), heapUsedBytes, heapLimitBytes }
      return { status: 'UP', data }
    },
    [Symbol.dispose]: () => observer.stop(),
  }
}

function observeProcess(): { measure(): ProcessState; stop(): void } {
  let timer: NodeJS.Timeout | undefined
  let lookedAt = 0
  let longestMs = 0
  /** Also counts a delay that still lasts: the next look is overdue then. */
  function look(): void {
    const now = performance.now()
    longestMs = Math.max(longestMs, now - lookedAt - RESOLUTION_MS)
    lookedAt = now
  }
  function start(): NodeJS.Timeout {
    lookedAt = performance.now()
    return setInterval(look, RESOLUTION_MS).unref()
  }
  return {
    measure() {
      timer ??= start()
      look()
      const eventLoopDelayMs = longestMs
      longestMs = 0
      const { used_heap_size: heapUsedBytes, heap_size_limit: heapLimitBytes } = getHeapStatistics()
      return { eventLoopDelayMs, heapUsedBytes, heapLimitBytes }
    },
    stop: () => clearInterval(timer),
  }
}
