import { type BackOffOptions, backOffMs, sleep } from '@taproom/core/time'
import { refusals } from '../errors.ts'
import { REGISTRY_LIMITS } from '../limits.ts'
import type { RegistryRecord } from '../store/records.ts'
import type { SchemaLog } from '../store/schema-log.ts'

/** The records that a write needs, and what is answered once they hold. */
export interface Decision<Answer> {
  readonly records: readonly RegistryRecord[]
  readonly answer: Answer
}

/** How often a write is decided again because another registry was faster. */
const MOST_ATTEMPTS = 20
const WAITS: BackOffOptions = { firstMs: 5, longestMs: 200, jitter: 1 }

/**
 * Writes of one registry, one after another. Each is decided by all that was written before it, by other registries too, and is decided again if
 * one of them was faster: the topic's order decides.
 */
export class WriteQueue {
  readonly #log: SchemaLog
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor(log: SchemaLog) {
    this.#log = log
  }

  /** @throws {RegistryError} what `decide` throws; 50001 and 50002 when Kafka does not take the records */
  async write<Answer>(decide: () => Decision<Answer> | Promise<Decision<Answer>>): Promise<Answer> {
    if (this.#waiting >= REGISTRY_LIMITS.waitingWrites) throw refusals.timedOut('Too many writes wait already')
    this.#waiting += 1
    const result = this.#last.then(() => this.#attempt(decide))
    this.#last = result.catch(() => undefined)
    try {
      return await result
    } finally {
      this.#waiting -= 1
    }
  }

  async #attempt<Answer>(decide: () => Decision<Answer> | Promise<Decision<Answer>>): Promise<Answer> {
    await this.#log.catchUp()
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const { records, answer } = await decide()
      if (await this.#writeAll(records)) return answer
      // What was faster is read by now. Two that write in step must not meet again.
      await sleep(backOffMs(attempt, WAITS))
    }
    throw refusals.storeFailed('Other registries wrote the same versions again and again')
  }

  async #writeAll(records: readonly RegistryRecord[]): Promise<boolean> {
    for (const record of records) {
      const outcome = await this.#log.append(record)
      if (outcome === 'full') throw refusals.notPermitted('The registry holds as many schemas as it may')
      if (outcome === 'unreadable') throw refusals.schemaTooLarge()
      if (outcome === 'conflict') return false
    }
    return true
  }
}
