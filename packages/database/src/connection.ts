import type { Log } from '@taproom/lines'
import { DatabaseUnavailableError } from './errors.ts'

export interface ConnectionOptions<Q> {
  /** Of the database, in the log. */
  readonly kind: string
  readonly log: Pick<Log, 'info' | 'error'>
  /** Connects; called again after a failure. */
  prepare(): Promise<Q>
}

/** What queries run on, prepared when it is needed. */
export interface Connection<Q> {
  /** @throws {DatabaseUnavailableError} when it cannot be prepared, or `ask` fails */
  run<T>(ask: (queries: Q) => Promise<T>): Promise<T>
  /** Resolves when nothing is being prepared. */
  settled(): Promise<void>
}

/**
 * While the database is away every call fails and tries again, so a readiness probe alone brings the connection back. Its going and its
 * coming are a line of the log each.
 */
export function createConnection<Q>({ kind, log, prepare }: ConnectionOptions<Q>): Connection<Q> {
  let ready: Promise<Q> | undefined
  let isDown = false
  return {
    async run(ask) {
      ready ??= prepare()
      const asked = ready
      try {
        const answer = await ask(await asked)
        if (isDown) log.info({ database: kind }, 'database is back')
        isDown = false
        return answer
      } catch (cause) {
        if (ready === asked) ready = undefined
        if (!isDown) log.error({ database: kind, err: cause }, 'database is unavailable')
        isDown = true
        throw new DatabaseUnavailableError('the database is unavailable', { cause })
      }
    },
    async settled() {
      await ready?.catch(() => undefined)
    },
  }
}
