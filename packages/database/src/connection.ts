import type { Log } from '@taproom/core/lines'
import { pause, withDeadline } from '@taproom/core/time'
import { DatabaseUnavailableError } from './errors.ts'
import { isBusy, isOutage } from './outage.ts'

export interface ConnectionOptions<Q> {
  /** Of the database, in the log. */
  readonly kind: string
  readonly log: Pick<Log, 'info' | 'error'>
  /** Connects; called again after an outage. */
  prepare(): Promise<Q>
}

/** What queries run on, prepared when it is needed. */
export interface Connection<Q> {
  /**
   * Runs queries.
   *
   * @throws {DatabaseUnavailableError} when it cannot be prepared, or the connection fails; all else that `ask` throws, as it is
   */
  run<T>(ask: (queries: Q) => Promise<T>): Promise<T>
  /** Asks whether the database is well, for a readiness check. @throws {DatabaseUnavailableError} whatever `ask` throws */
  check(ask: (queries: Q) => Promise<unknown>): Promise<void>
  /** Resolves when nothing is being prepared. */
  settled(): Promise<void>
}

/** Callers wait this long, for example for a migration. Two connection attempts fit in: the migration's, and that of the queries. */
const PREPARE_MS = 10_000

/** Between two attempts to prepare it: a migration that fails would otherwise run again with each request. */
const AGAIN_MS = 500

/**
 * While the database is away calls fail and it is tried again, so a readiness probe alone brings the connection back. Its going and its
 * coming are a line of the log each. An error of a query, such as a duplicate key, leaves the connection alone.
 */
export function createConnection<Q>({ kind, log, prepare }: ConnectionOptions<Q>): Connection<Q> {
  let ready: Promise<Q> | undefined
  let isDown = false

  function begin(): Promise<Q> {
    const begun = prepare()
    begun.catch(async () => {
      await pause(AGAIN_MS, undefined, { keepsAlive: false })
      if (ready === begun) ready = undefined
    })
    return begun
  }

  async function use<T>(ask: (queries: Q) => Promise<T>, isAway: (cause: unknown) => boolean): Promise<T> {
    ready ??= begin()
    const asked = ready
    let isPrepared = false
    try {
      const queries = await withDeadline(asked, PREPARE_MS, 'preparing the database')
      isPrepared = true
      const answer = await ask(queries)
      if (isDown) log.info({ database: kind }, 'database is back')
      isDown = false
      return answer
    } catch (cause) {
      if (isPrepared && !isAway(cause)) throw cause
      if (isPrepared && ready === asked && !isBusy(cause)) ready = undefined
      if (!isDown) log.error({ database: kind, err: cause }, 'database is unavailable')
      isDown = true
      throw new DatabaseUnavailableError('the database is unavailable', { cause })
    }
  }

  return {
    run: (ask) => use(ask, isOutage),
    async check(ask) {
      await use(ask, () => true)
    },
    async settled() {
      await ready?.catch(() => undefined)
    },
  }
}
