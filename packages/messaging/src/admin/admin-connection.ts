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

type State = { readonly kind: 'idle' } | { readonly kind: 'open'; readonly link: Link }

const IDLE: State = { kind: 'idle' }

/** One connection for administration; it is opened at the first call, and again at the first call after a failure. */
export class AdminConnection {
  readonly #kafka: KafkaClient
  readonly #timeoutMs: number
  #state: State = IDLE

  constructor(kafka: KafkaClient, timeoutMs: number) {
    this.#kafka = kafka
    this.#timeoutMs = timeoutMs
  }

  /** Rejects with Kafka's answer when it refuses, or after the time limit with an error that begins with `what`. */
  async call<T>(what: string, use: (admin: Admin) => Promise<T>): Promise<T> {
    const state = this.#open()
    try {
      return await withDeadline(
        state.link.ready.then((admin) => whenSettled(() => use(admin))),
        this.#timeoutMs,
        what,
      )
    } catch (error) {
      // An answer shows that the shared connection works. After any other error the next call opens a new one.
      const answer = brokerAnswer(error)
      if (answer !== undefined) throw answer
      if (this.#state === state) this.#state = IDLE
      void endSession(state.link.session, state.link.admin)
      throw error
    }
  }

  async close(): Promise<void> {
    const last = this.#state
    this.#state = IDLE
    if (last.kind === 'open') await endSession(last.link.session, last.link.admin)
  }

  #open(): State & { kind: 'open' } {
    if (this.#state.kind === 'open') return this.#state
    const session = this.#kafka.openSession()
    const admin = session.kafkajs.admin()
    const ready = admin.connect().then(() => admin)
    // Every call reports the failure itself; without a call it must not end the process as an unhandled rejection.
    ready.catch(() => undefined)
    const state = { kind: 'open', link: { session, admin, ready } } as const
    this.#state = state
    return state
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
