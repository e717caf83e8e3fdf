import { LogCleaner } from '../cleaner/log-cleaner.ts'
import type { Clock } from '../clock.ts'
import { DueWork } from '../due-work.ts'
import { failureOf } from '../protocol/protocol-error.ts'
import type { Partition } from './partition.ts'
import type { TopicRules } from './topic-rules.ts'

/** As Apache Kafka's log.retention.check.interval.ms. */
const CHECK_INTERVAL_MS = 300_000
/** Apache Kafka waits this long after a start, too. */
const FIRST_CHECK_MS = 30_000

interface KeptTopic {
  readonly rules: TopicRules
  readonly partitions: readonly Partition[]
}

/** What is done to logs while nobody writes: old segments are dropped, or compacted. */
export class Upkeep {
  readonly #topics: () => readonly KeptTopic[]
  readonly #clock: Clock
  readonly #firstCheckAt: number
  readonly #retention: DueWork
  readonly #cleaner: LogCleaner

  constructor(options: {
    readonly topics: () => readonly KeptTopic[]
    readonly clock: Clock
    readonly cleanerBackoffMs: number
  }) {
    const { topics, clock, cleanerBackoffMs } = options
    this.#topics = topics
    this.#clock = clock
    this.#firstCheckAt = clock.now() + FIRST_CHECK_MS
    this.#retention = new DueWork({
      work: (time) => this.#enforceRetention(time),
      clock,
      firstMs: FIRST_CHECK_MS,
      intervalMs: CHECK_INTERVAL_MS,
    })
    this.#cleaner = new LogCleaner({ logs: () => this.#compacted(), clock, backoffMs: cleanerBackoffMs })
  }

  /** How long the cleaner rests from its next round on, in milliseconds. */
  set cleanerBackoffMs(ms: number) {
    this.#cleaner.backoffMs = ms
  }

  /** Call with the time when a segment will be too old or too much. */
  expectExpiry(time: number): void {
    this.#retention.expectAt(this.#checkAfter(time))
  }

  /** Checks are at fixed times, as in Apache Kafka: a record that is too old when it is written can be read for a while. */
  #checkAfter(time: number): number {
    const waited = Math.max(time, this.#clock.now()) - this.#firstCheckAt
    return this.#firstCheckAt + Math.max(0, Math.ceil(waited / CHECK_INTERVAL_MS)) * CHECK_INTERVAL_MS
  }

  /** Call when a compacted topic may have more to compact. */
  expectCleaning(): void {
    this.#cleaner.expect()
  }

  #enforceRetention(now: number): number | undefined {
    const partitions = this.#topics().flatMap((topic) => topic.partitions)
    const next = partitions.flatMap((partition) => {
      try {
        return partition.enforceRetention(now) ?? []
      } catch (error) {
        failureOf(error)
        // A file that cannot be removed now is tried again later, and keeps no other.
        return now
      }
    })
    return next.length === 0 ? undefined : this.#checkAfter(Math.min(...next))
  }

  #compacted() {
    return this.#topics().flatMap(({ rules, partitions }) =>
      rules.isCompacted ? partitions.flatMap((partition) => partition.cleanables) : [],
    )
  }

  close(): void {
    this.#retention.close()
    this.#cleaner.close()
  }
}
