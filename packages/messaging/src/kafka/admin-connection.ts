import { pause, withDeadline } from '@taproom/core/time'
import type { Admin } from '@taproom/kafkajs'
import { InFlightLimit } from '../channel/in-flight-limit.ts'
import { brokerAnswer, isElsewhere, isSettling } from './broker-answer.ts'
import type { KafkaClient } from './client.ts'
import { endSession, type KafkaSession } from './session.ts'

const MOST_CALLS = 16
const SETTLE_ATTEMPTS = 10
const SETTLE_RETRY_MS = 100

interface Link {
  readonly session: KafkaSession
  readonly admin: Admin
  readonly ready: Promise<Admin>
  /** Calls under way. */
  calls: number
}

/**
 * One connection for administration; it is opened at the first call, and again at the first call after a failure: the calls that are under way
 * end on the one that they began on. Sixteen are under way at most: Kafka answers the requests of a connection one after another, and each
 * call has its time.
 */
export class AdminConnection {
  readonly #kafka: KafkaClient
  readonly #timeoutMs: number
  readonly #underWay = new InFlightLimit(MOST_CALLS)
  readonly #closing = new AbortController()
  readonly #links = new Set<Link>()
  #link: Link | undefined

  constructor(kafka: KafkaClient, timeoutMs: number) {
    this.#kafka = kafka
    this.#timeoutMs = timeoutMs
  }

  /** Rejects with Kafka's answer when it refuses, or after the time limit with an error that begins with `what`. */
  async call<T>(what: string, use: (admin: Admin) => Promise<T>): Promise<T> {
    const { signal } = this.#closing
    // Once it is closed, a call would open a connection that nobody closes.
    const isAdmitted = !signal.aborted && (await this.#underWay.acquire(signal))
    if (isAdmitted && signal.aborted) this.#underWay.release()
    if (!isAdmitted || signal.aborted) throw new Error(`${what}: the connection is closed`)
    this.#link ??= this.#open()
    const link = this.#link
    link.calls += 1
    try {
      const answer = link.ready.then((admin) => whenSettled(() => use(admin)))
      return await withDeadline(answer, this.#timeoutMs, what)
    } catch (error) {
      const answer = brokerAnswer(error)
      // An answer shows that the connection works. One that another broker leads now is not enough: kafkajs would ask the same one again.
      if (this.#link === link && (answer === undefined || isElsewhere(answer))) this.#link = undefined
      throw answer ?? error
    } finally {
      link.calls -= 1
      if (link.calls === 0 && this.#link !== link) void this.#end(link)
      this.#underWay.release()
    }
  }

  async #end(link: Link): Promise<void> {
    if (this.#links.delete(link)) await endSession(link.session, link.admin)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#link = undefined
    await Promise.all([...this.#links].map((link) => this.#end(link)))
  }

  #open(): Link {
    const session = this.#kafka.openSession()
    const admin = session.kafkajs.admin()
    const ready = admin.connect().then(() => admin)
    // Every call reports the failure itself; without a call it must not end the process as an unhandled rejection.
    ready.catch(() => undefined)
    const link = { session, admin, ready, calls: 0 }
    this.#links.add(link)
    return link
  }
}

/** Retries for less than a second in all while Kafka is not ready for the request. */
async function whenSettled<T>(request: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await request()
    } catch (error) {
      if (attempt === SETTLE_ATTEMPTS || !isSettling(error)) throw error
      await pause(SETTLE_RETRY_MS)
    }
  }
}
