import type { ErrorCode } from '../protocol/error-code.ts'

/** An assignment strategy a member offers, with its opaque subscription. */
export interface GroupProtocol {
  readonly name: string
  readonly metadata: Buffer
}

/** What a JoinGroup request says about the member that sends it. */
export interface JoinRequest {
  /** Empty for a member that has no id yet. */
  readonly memberId: string
  /** The id of a static member (KIP-345). */
  readonly groupInstanceId: string | null
  /** It can be told that it leads and yet has nothing to assign. */
  readonly knowsSkipAssignment: boolean
  /** Hand out an id first and let the client join with it (KIP-394). */
  readonly requireKnownMemberId: boolean
  readonly clientId: string
  readonly clientHost: string
  readonly sessionTimeoutMs: number
  readonly rebalanceTimeoutMs: number
  readonly protocolType: string
  readonly protocols: readonly GroupProtocol[]
}

/** The answer to a JoinGroup request; `members` is filled for the leader alone. */
export interface JoinResult {
  readonly errorCode: ErrorCode
  readonly generationId: number
  readonly protocolType: string | null
  readonly protocolName: string | null
  readonly leader: string
  readonly memberId: string
  readonly members: readonly {
    readonly memberId: string
    readonly groupInstanceId: string | null
    readonly metadata: Buffer
  }[]
  readonly skipAssignment: boolean
}

/** A SyncGroup request as the group sees it. */
export interface SyncRequest {
  readonly memberId: string
  readonly groupInstanceId: string | null
  readonly generationId: number
  readonly protocolType: string | null
  readonly protocolName: string | null
  readonly assignments: readonly { readonly memberId: string; readonly assignment: Buffer }[]
}

/** The answer to a SyncGroup request. */
export interface SyncResult {
  readonly errorCode: ErrorCode
  readonly protocolType: string | null
  readonly protocolName: string | null
  readonly assignment: Buffer
}

const NO_BYTES = Buffer.alloc(0)

/** One member of a group: what it offered, what it was assigned, what it waits for and when it counts as gone. */
export class Member {
  readonly id: string
  readonly instanceId: string | null
  readonly clientId: string
  readonly clientHost: string
  rebalanceTimeoutMs: number
  protocols: readonly GroupProtocol[]
  assignment: Buffer = NO_BYTES
  #join: ((result: JoinResult) => void) | undefined
  #sync: ((result: SyncResult) => void) | undefined
  #sessionTimeoutMs: number
  #session: NodeJS.Timeout | undefined
  readonly #onExpired: (member: Member) => void

  constructor(id: string, request: JoinRequest, onExpired: (member: Member) => void) {
    this.id = id
    this.instanceId = request.groupInstanceId
    this.clientId = request.clientId
    this.clientHost = request.clientHost
    this.rebalanceTimeoutMs = request.rebalanceTimeoutMs
    this.protocols = request.protocols
    this.#sessionTimeoutMs = request.sessionTimeoutMs
    this.#onExpired = onExpired
  }

  update(request: JoinRequest): void {
    this.protocols = request.protocols
    this.rebalanceTimeoutMs = request.rebalanceTimeoutMs
    this.#sessionTimeoutMs = request.sessionTimeoutMs
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

  /** Resolves with the next join result; a member that waits cannot expire. */
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

  /** A sign of life: the session starts anew. */
  heartbeat(): void {
    this.#pause()
    if (this.#join || this.#sync) return
    this.#session = setTimeout(() => this.#onExpired(this), this.#sessionTimeoutMs)
  }

  #pause(): void {
    clearTimeout(this.#session)
    this.#session = undefined
  }

  /** Ends its session and whatever it waits for. */
  dismiss(errorCode: ErrorCode): void {
    this.#join?.(failedJoin(errorCode, this.id))
    this.#sync?.(failedSync(errorCode))
    this.#join = undefined
    this.#sync = undefined
    this.#pause()
  }
}

export function failedJoin(errorCode: ErrorCode, memberId: string): JoinResult {
  return {
    errorCode,
    generationId: -1,
    protocolType: null,
    protocolName: null,
    leader: '',
    skipAssignment: false,
    memberId,
    members: [],
  }
}

export function failedSync(errorCode: ErrorCode): SyncResult {
  return { errorCode, protocolType: null, protocolName: null, assignment: NO_BYTES }
}
