import type { Alarm, Clock } from '../clock.ts'
import type { Member } from './member.ts'

/**
 * The members of a generation that have not asked for their assignment yet. As in Apache Kafka, they have as much time for it as they have
 * to join; static members that missed the rebalance are among them.
 */
export class AwaitedSyncs {
  readonly #onLate: (members: readonly Member[]) => void
  readonly #members = new Set<Member>()
  readonly #clock: Clock
  #alarm: Alarm | undefined

  /** `onLate` is called with those that have not synced in time, if there are any. */
  constructor(clock: Clock, onLate: (members: readonly Member[]) => void) {
    this.#clock = clock
    this.#onLate = onLate
  }

  begin(members: readonly Member[], timeoutMs: number): void {
    this.end()
    if (members.length === 0) return
    for (const member of members) this.#members.add(member)
    this.#alarm = this.#clock.setAlarm(timeoutMs, () => {
      const late = [...this.#members]
      this.end()
      this.#onLate(late)
    })
  }

  /** It has synced, or is no member any more. */
  forget(member: Member): void {
    this.#members.delete(member)
    if (this.#members.size === 0) this.end()
  }

  end(): void {
    this.#alarm?.clear()
    this.#members.clear()
  }
}
