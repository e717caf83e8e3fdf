import type { Log } from '@taproom/core/lines'
import { createBackOff, DeadlineError, pause, withDeadline } from '@taproom/core/time'
import { DatabaseUnavailableError } from './errors.ts'
import { isAway, isBusy, isOutage, isReadTimeout } from './outage.ts'

export interface ConnectionOptions<Q> {
  /** The kind of the database, for the log. */
  readonly kind: string
  readonly log: Pick<Log, 'info' | 'error'>
  /** Connects; called again after an outage. The signal aborts when the connection is stopped. */
  prepare(signal: AbortSignal): Promise<Q>
}

/** Prepares what queries run on when the first one needs it. */
export interface Connection<Q> {
  /**
   * Runs queries.
   *
   * @throws {DatabaseUnavailableError} when it cannot be prepared, or the connection fails; all else that `ask` throws, as it is
   */
  run<T>(ask: (queries: Q) => Promise<T>): Promise<T>
  /** Asks whether the database is well, for a readiness check. @throws {DatabaseUnavailableError} whatever `ask` throws */
  check(ask: (queries: Q) => Promise<unknown>): Promise<void>
  /** Aborts what is being prepared, and resolves when that has ended. Nothing is prepared after it. */
  stop(): Promise<void>
}

/** Callers wait this long, for example for a migration. Two connection attempts fit in: the migration's, and that of the queries. */
const PREPARE_MS = 10_000

/**
 * The waits between attempts to prepare it: otherwise a migration that fails would run again with each request. Each wait is longer than the
 * one before, because a migration that waits for a lock holds up the queries of others. A database that is away is tried again soon.
 */
const AGAIN_MS = { firstMs: 500, longestMs: 60_000 }

/** A query that begins within this time after another one met the limit has a new connection. If it meets the limit, too, it is slow. */
const NEW_MS = 60_000

/**
 * While the database is away calls fail and it is tried again, so a readiness probe alone brings the connection back. Its going and its
 * coming are a line of the log each. An error of a query, such as a duplicate key, leaves the connection alone.
 */
export function createConnection<Q>({ kind, log, prepare }: ConnectionOptions<Q>): Connection<Q> {
  let ready: Promise<Q> | undefined
  let said: string | undefined
  let limitAt = -Infinity
  const backOff = createBackOff(AGAIN_MS)
  const stopping = new AbortController()

  function begin(): Promise<Q> {
    const { signal } = stopping
    const begun: Promise<Q> = signal.aborted ? Promise.reject(signal.reason) : prepare(signal)
    begun.then(backOff.reset, async (cause) => {
      if (isAway(cause)) backOff.reset()
      await pause(backOff.next(), undefined, { keepsAlive: false })
      if (ready === begun) ready = undefined
    })
    return begun
  }

  async function use<T>(ask: (queries: Q) => Promise<T>, isDown: (cause: unknown) => boolean): Promise<T> {
    const begunAt = performance.now()
    ready ??= begin()
    const asked = ready
    let isPrepared = false
    try {
      const queries = await withDeadline(asked, PREPARE_MS, 'preparing the database')
      isPrepared = true
      const answer = await ask(queries)
      if (said !== undefined) log.info({ database: kind }, 'database is back')
      said = undefined
      return answer
    } catch (cause) {
      if (isPrepared && !isDown(cause)) throw cause
      if (isPrepared && ready === asked && !isBusy(cause)) ready = undefined
      const isLate = isPrepared && isReadTimeout(cause)
      const isTransient = !isLate || begunAt < limitAt || begunAt > limitAt + NEW_MS
      if (isLate) limitAt = performance.now()
      const state = !isPrepared && cause instanceof DeadlineError ? 'being migrated' : 'unavailable'
      if (said !== state) log.error({ database: kind, err: cause }, `database is ${state}`)
      said = state
      throw new DatabaseUnavailableError(`the database is ${state}`, { cause, isTransient })
    }
  }

  return {
    run: (ask) => use(ask, isOutage),
    async check(ask) {
      await use(ask, () => true)
    },
    async stop() {
      stopping.abort(new Error('the connection is stopped'))
      await ready?.catch(() => undefined)
    },
  }
}
