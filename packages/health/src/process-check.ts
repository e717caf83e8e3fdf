import type { HealthCheck } from '@taproom/core/health'
import { assertMilliseconds, InvalidHealthOptionError } from './errors.ts'

/** How often the event loop is sampled, in milliseconds: rarely enough to cost nothing. */
const RESOLUTION_MS = 100

export interface ProcessCheckOptions {
  /** Default: `Process`. */
  readonly name?: string
  /** Longest acceptable delay of the event loop since the last run, in milliseconds. Default: 5000. */
  readonly maxEventLoopDelayMs?: number
  /** Highest acceptable share of the heap limit in use. Default: 0.95. */
  readonly maxHeapUsedRatio?: number
  /** Default: measures this process. */
  readonly measure?: () => ProcessState
}

export interface ProcessState {
  /** Longest delay of the event loop since the last measurement, in milliseconds. */
  readonly eventLoopDelayMs: number
  readonly heapUsedBytes: number
  readonly heapLimitBytes: number
}

/**
 * Reports event loop delay and heap use, for wellness; `data.isWithinLimits` says whether both are within their limits. Never DOWN, because
 * wellness is part of the combined report: a stuck process answers no probe anyway, and one that answers again after the machine was overloaded
 * is live and ready. Samples the event loop from its first run on, so that it costs nothing without probes; does not keep the process alive.
 * Dispose of it to stop the sampling.
 *
 * @throws {InvalidHealthOptionError} when a limit is invalid
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
  /** Includes a delay that is not over yet: then the next sample is overdue. */
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
      // Loaded with the first report: a sink that starts for one event is not asked for any.
      const { used_heap_size: heapUsedBytes, heap_size_limit: heapLimitBytes } = process
        .getBuiltinModule('node:v8')
        .getHeapStatistics()
      return { eventLoopDelayMs, heapUsedBytes, heapLimitBytes }
    },
    stop: () => clearInterval(timer),
  }
}
