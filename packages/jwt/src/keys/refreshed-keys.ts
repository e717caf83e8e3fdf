import { type Log, reasonOf } from '@taproom/core/lines'
import { backOffMs, pause } from '@taproom/core/time'
import type { JwtAlgorithm } from './algorithms.ts'
import type { KeyText } from './fetch-key-text.ts'
import { type KeySet, type KeySource, NO_KEYS, parseKeys, succeed, unusable } from './key-set.ts'

/** The part of a logger that this package needs; pino fits. */
export type JwtLogger = Pick<Log, 'info' | 'warn'>

/** How often the keys are read, in milliseconds, unless the server's Cache-Control says otherwise. */
const REFRESH_MS = 5 * 60_000
const MIN_REFRESH_MS = 30_000
const MAX_REFRESH_MS = 60 * 60_000

/** Least time between two readings for an unknown `kid`, in milliseconds. */
const COOLDOWN_MS = 30_000

const RETRY_WAITS = { firstMs: 500, longestMs: 30_000 }

/** How long keys stay in force while the server cannot be reached, in milliseconds. */
const MAX_STALE_MS = 60 * 60_000

export interface RefreshedKeysOptions {
  /** Where they are, for log and health: an address, or `file`. */
  readonly location: string
  /** Keys that were read already. Default: none, and the first reading begins at once. */
  readonly first?: KeySet
  /** Reads them once, within a bounded time; rejects when that fails. */
  readonly read: (stop: AbortSignal) => Promise<KeyText>
  readonly algorithms: readonly JwtAlgorithm[]
  readonly clock: () => number
  readonly log: JwtLogger | undefined
}

/**
 * Keys at an http(s) address or in a file. They are read in the background: at once, whenever they are due, and, with a least time between,
 * when a token names an unknown key. While reading fails the old keys stay in force for an hour; then there are none.
 */
export function refreshedKeys(options: RefreshedKeysOptions): KeySource {
  const { location, first, algorithms, clock, log } = options
  const stop = new AbortController()
  let keys: KeySet = first ?? NO_KEYS
  let error: string | undefined = first === undefined ? 'not read yet' : undefined
  let staleAt = clock() + MIN_REFRESH_MS + MAX_STALE_MS
  let lookedAgainAt = Number.NEGATIVE_INFINITY
  let reading: Promise<number> | undefined

  /** Reads once, however many callers wait; resolves to the time until the next reading. Never rejects. */
  function readOnce(failures: number): Promise<number> {
    reading ??= readKeys(failures).finally(() => {
      reading = undefined
    })
    return reading
  }

  async function readKeys(failures: number): Promise<number> {
    try {
      const { text, maxAgeMs = REFRESH_MS } = await options.read(stop.signal)
      keys = succeed(keys, parseKeys(text, algorithms))
      const refreshMs = Math.min(Math.max(maxAgeMs, MIN_REFRESH_MS), MAX_REFRESH_MS)
      staleAt = clock() + refreshMs + MAX_STALE_MS
      if (error !== undefined) log?.info({ location, keys: keys.keys.length }, 'verification keys read')
      error = keys.keys.length === 0 ? unusable(keys, algorithms) : undefined
      return refreshMs
    } catch (cause) {
      if (stop.signal.aborted) return RETRY_WAITS.longestMs
      error = reasonOf(cause)
      if (failures === 0) log?.warn({ location, err: cause }, 'verification keys not readable')
      return backOffMs(failures, RETRY_WAITS)
    }
  }

  async function keepReading(): Promise<void> {
    let failures = 0
    if (first !== undefined) await pause(MIN_REFRESH_MS, stop.signal, { keepsAlive: false })
    while (!stop.signal.aborted) {
      const waitMs = await readOnce(failures)
      failures = error === undefined ? 0 : failures + 1
      await pause(waitMs, stop.signal, { keepsAlive: false })
    }
  }

  void keepReading()
  return {
    current() {
      if (clock() > staleAt) keys = NO_KEYS
      return keys
    },
    async lookAgain(isFound) {
      if (reading !== undefined) {
        await reading
        // It may have begun before the key was published.
        if (isFound()) return
      }
      if (clock() - lookedAgainAt >= COOLDOWN_MS) {
        lookedAgainAt = clock()
        await readOnce(1)
      } else await reading
    },
    state: () => ({ location, ...(error !== undefined && { error }) }),
    [Symbol.dispose]: () => stop.abort(),
  }
}
