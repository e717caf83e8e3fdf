import { pause, withDeadline } from '@taproom/time'
import type { Admin } from 'kafkajs'
import { brokerAnswer, isSettling } from '../kafka/broker-answer.ts'
import type { KafkaClient } from '../kafka/client.ts'
import { endSession, type KafkaSession } from '../kafka/session.ts'

const SETTLE_ATTEMPTS = 10
const SETTLE_RETRY_MS = 100

interface Link {
  readonly session: KafkaSession
  readonly admin: Admin
  readonly ready: Promise<Admin>
}

/** One connection for administration; it is opened at the first call, and again at the first call after a failure. */
export class AdminConnection {
  readonly #kafka: KafkaClient
  readonly #timeoutMs: number
  #link: Link | undefined

  constructor(kafka: KafkaClient, timeoutMs: number) {
    this.#kafka = kafka
    this.#timeoutMs = timeoutMs
  }

  /** Rejects with Kafka's answer when it refuses, or after the time limit with an error that begins with `what`. */
  async call<T>(what: string, use: (admin: Admin) => Promise<T>): Promise<T> {
    this.#link ??= this.#open()
    const link = this.#link
    try {
      const answer = link.ready.then((admin) => whenSettled(() => use(admin)))
      return await withDeadline(answer, this.#timeoutMs, what)
    } catch (error) {
      // An answer shows that the shared connection works. After any other error the next call opens a new one.
      const answer = brokerAnswer(error)
      if (answer !== undefined) throw answer
      if (this.#link === link) this.#link = undefined
      void endSession(link.session, link.admin)
      throw error
    }
  }

  async close(): Promise<void> {
    const last = this.#link
    this.#link = undefined
    if (last !== undefined) await endSession(last.session, last.admin)
  }

  #open(): Link {
    const session = this.#kafka.openSession()
    const admin = session.kafkajs.admin()
    const ready = admin.connect().then(() => admin)
    // Every call reports the failure itself; without a call it must not end the process as an unhandled rejection.
    ready.catch(() => undefined)
    return { session, admin, ready }
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
