import { reasonOf, rootCause } from '@taproom/core/lines'
import { atMost, withDeadline } from '@taproom/core/time'
import { type Admin, KafkaJSAggregateError, KafkaJSProtocolError } from '@taproom/kafkajs'
import type { KafkaClient, KafkaSession } from '@taproom/messaging'
import { HttpProblem } from '@taproom/service'

/** A person waits for it. */
const CALL_MS = 4500
const IDLE_MS = 60_000
const END_MS = 500

/** The status of a refused request by Kafka's error. Without an entry for the reason, the answer has Kafka's own. */
const REFUSALS: Readonly<Record<string, readonly [status: number, reason?: string]>> = {
  UNKNOWN_TOPIC_OR_PARTITION: [404, 'Kafka has no such topic or partition'],
  MESSAGE_TOO_LARGE: [413, 'the record is larger than Kafka takes'],
  TOPIC_ALREADY_EXISTS: [409],
  REASSIGNMENT_IN_PROGRESS: [409],
  TOPIC_DELETION_DISABLED: [403],
  INVALID_TOPIC_EXCEPTION: [400],
  INVALID_PARTITIONS: [400],
  INVALID_REPLICATION_FACTOR: [400],
  INVALID_REPLICA_ASSIGNMENT: [400],
  INVALID_CONFIG: [400],
  INVALID_REQUEST: [400],
  INVALID_RECORD: [400],
  INVALID_TIMESTAMP: [400],
  POLICY_VIOLATION: [400],
}

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
   * @throws {HttpProblem} 404 for what Kafka does not have, 403 for what it does not allow, 400, 409 or 413 for what is wrong with the
   *   request, 502 for what else it refuses, and 503 when it does not answer within 4.5 s
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
    if (answer !== undefined && detail === undefined) {
      const [status, reason] = REFUSALS[answer.type] ?? (answer.retriable ? [] : [502])
      const said = reason ?? `Kafka refuses it: ${answer.type}: ${answer.message}`
      if (status !== undefined) return new HttpProblem(status, { detail: said, cause: error })
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
    if (cause instanceof KafkaJSAggregateError)
      return cause.errors.map(protocolError).find((each) => each !== undefined)
  }
  return undefined
}
