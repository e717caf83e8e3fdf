import { reasonOf, rootCause } from '@taproom/core/lines'
import { atMost, withDeadline } from '@taproom/core/time'
import { type Admin, KafkaJSProtocolError } from '@taproom/kafkajs'
import type { KafkaClient, KafkaSession } from '@taproom/messaging'
import { HttpProblem } from '@taproom/service'

/** A person waits for it. */
const CALL_MS = 4500
const IDLE_MS = 60_000
const END_MS = 500

interface Connected {
  readonly session: KafkaSession
  readonly admin: Admin
  readonly ready: Promise<void>
  calls: number
}

/** A connection to Kafka that the first call opens; a minute without calls closes it, as does a call that fails. */
export class KafkaLink implements AsyncDisposable {
  readonly #kafka: KafkaClient
  readonly #servers: string
  readonly #idleMs: number
  #connected: Connected | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(kafka: KafkaClient, servers: string, idleMs = IDLE_MS) {
    this.#kafka = kafka
    this.#servers = servers
    this.#idleMs = idleMs
  }

  get isOpen(): boolean {
    return this.#connected !== undefined
  }

  /**
   * @throws {HttpProblem} 404 for what Kafka does not have, 403 for what it does not allow, 413 for a record that is too large, 502 for
   *   what else it refuses, and 503 when it does not answer within 4.5 s
   */
  async call<T>(use: (admin: Admin, session: KafkaSession) => Promise<T>, limitMs = CALL_MS): Promise<T> {
    clearTimeout(this.#idle)
    this.#connected ??= this.#connect()
    const connected = this.#connected
    const { admin, session, ready } = connected
    connected.calls += 1
    try {
      const answer = ready.then(() => use(admin, session))
      return await withDeadline(answer, limitMs, 'the answer of Kafka')
    } catch (error) {
      if (error instanceof HttpProblem) throw error
      // Whatever it was, the next call begins with new connections, and without what these knew of the cluster.
      if (this.#connected === connected) this.#connected = undefined
      throw this.#problem(error, session)
    } finally {
      connected.calls -= 1
      if (connected.calls === 0) this.#rest(connected)
    }
  }

  #rest(connected: Connected): void {
    if (this.#connected !== connected) void end(connected)
    else this.#idle = setTimeout(() => void this.#close(), this.#idleMs).unref()
  }

  /** Another one to the same Kafka, for requests that wait there: Kafka answers those of a connection one after another. */
  another(): KafkaLink {
    return new KafkaLink(this.#kafka, this.#servers)
  }

  /** Ends calls under way at once. */
  cut(): void {
    this.#connected?.session.cut()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#idle)
    await this.#close()
  }

  #connect(): Connected {
    const session = this.#kafka.openSession()
    const admin = session.kafkajs.admin()
    const ready = admin.connect()
    // The call reports the failure; a rejection after the call has ended would be unhandled.
    ready.catch(() => undefined)
    return { session, admin, ready, calls: 0 }
  }

  async #close(): Promise<void> {
    const last = this.#connected
    this.#connected = undefined
    if (last !== undefined) await end(last)
  }

  #problem(error: unknown, session: KafkaSession): HttpProblem {
    const answer = protocolError(error)
    const detail = session.refusal(error)
    if (answer?.type.endsWith('_AUTHORIZATION_FAILED')) {
      return new HttpProblem(403, { detail: detail ?? answer.message, cause: error })
    }
    if (answer?.type === 'UNKNOWN_TOPIC_OR_PARTITION') {
      return new HttpProblem(404, { detail: 'Kafka has no such topic or partition', cause: error })
    }
    if (answer?.type === 'MESSAGE_TOO_LARGE') {
      return new HttpProblem(413, { detail: 'the record is larger than Kafka takes', cause: error })
    }
    if (answer !== undefined && !answer.retriable && detail === undefined) {
      return new HttpProblem(502, { detail: `Kafka refuses it: ${answer.type}: ${answer.message}`, cause: error })
    }
    return new HttpProblem(503, {
      detail: detail ?? `Kafka at ${this.#servers} does not answer: ${reasonOf(rootCause(error))}`,
      headers: { 'Retry-After': '2' },
      cause: error,
    })
  }
}

async function end({ session, admin }: Connected): Promise<void> {
  await atMost(admin.disconnect(), END_MS)
  session.cut()
}

/** Kafka's answer in a chain of causes. */
export function protocolError(error: unknown): KafkaJSProtocolError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof KafkaJSProtocolError) return cause
  }
  return undefined
}
