import type { Alarm, Clock } from '../clock.ts'
import type { ErrorCode } from '../protocol/error-code.ts'
import {
  failedJoin,
  failedSync,
  type GroupProtocol,
  type JoinRequest,
  type JoinResult,
  type SyncResult,
} from './join-and-sync.ts'

const NO_BYTES = Buffer.alloc(0)

/** One member of a group: its offers, its assignment, the answer it waits for and the end of its session. */
export class Member {
  readonly id: string
  readonly instanceId: string | null
  readonly clientId: string
  readonly clientHost: string
  rebalanceTimeoutMs: number
  sessionTimeoutMs: number
  protocols: readonly GroupProtocol[]
  assignment: Buffer = NO_BYTES
  #join: ((result: JoinResult) => void) | undefined
  #sync: ((result: SyncResult) => void) | undefined
  readonly #clock: Clock
  #session: Alarm | undefined
  readonly #onExpired: (member: Member) => void

  constructor(id: string, request: JoinRequest, clock: Clock, onExpired: (member: Member) => void) {
    this.id = id
    this.instanceId = request.groupInstanceId
    this.clientId = request.clientId
    this.clientHost = request.clientHost
    this.rebalanceTimeoutMs = request.rebalanceTimeoutMs
    this.protocols = request.protocols
    this.sessionTimeoutMs = request.sessionTimeoutMs
    this.#clock = clock
    this.#onExpired = onExpired
  }

  update(request: JoinRequest): void {
    this.protocols = request.protocols
    this.rebalanceTimeoutMs = request.rebalanceTimeoutMs
    this.sessionTimeoutMs = request.sessionTimeoutMs
  }

  /** Whether it offers byte for byte what it offered before. */
  offersSame(protocols: readonly GroupProtocol[]): boolean {
    return (
      protocols.length === this.protocols.length &&
      protocols.every(({ name, metadata }, index) => {
        const own = this.protocols[index]
        return own?.name === name && own.metadata.equals(metadata)
      })
    )
  }

  metadataFor(protocolName: string): Buffer {
    return this.protocols.find(({ name }) => name === protocolName)?.metadata ?? NO_BYTES
  }

  get isJoining(): boolean {
    return this.#join !== undefined
  }

  /** Resolves with the next join result; the session of a member that waits does not expire. */
  awaitJoin(): Promise<JoinResult> {
    this.#pause()
    return new Promise((resolve) => {
      this.#join = resolve
    })
  }

  answerJoin(result: JoinResult): void {
    this.#join?.(result)
    this.#join = undefined
    this.heartbeat()
  }

  awaitSync(): Promise<SyncResult> {
    this.#pause()
    return new Promise((resolve) => {
      this.#sync = resolve
    })
  }

  answerSync(result: SyncResult): void {
    if (!this.#sync) return
    this.#sync(result)
    this.#sync = undefined
    this.heartbeat()
  }

  /** Starts the session again, as every sign of life does. */
  heartbeat(): void {
    this.#pause()
    if (this.#join || this.#sync) return
    this.#session = this.#clock.setAlarm(this.sessionTimeoutMs, () => this.#onExpired(this))
  }

  #pause(): void {
    this.#session?.clear()
    this.#session = undefined
  }

  /** Ends its session, and answers what it waits for with this code. */
  dismiss(errorCode: ErrorCode): void {
    this.#join?.(failedJoin(errorCode, this.id))
    this.#sync?.(failedSync(errorCode))
    this.#join = undefined
    this.#sync = undefined
    this.#pause()
  }
}
