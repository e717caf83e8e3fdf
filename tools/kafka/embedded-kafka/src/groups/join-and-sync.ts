import type { ErrorCode } from '../protocol/error-code.ts'

/** An assignment strategy a member offers, with its opaque subscription. */
export interface GroupProtocol {
  readonly name: string
  readonly metadata: Buffer
}

/** The parts of a JoinGroup request that a group needs. */
export interface JoinRequest {
  /** Empty for a member that has no id yet. */
  readonly memberId: string
  /** The id of a static member (KIP-345). */
  readonly groupInstanceId: string | null
  /** The client understands the answer "you lead, but leave the assignment as it is" (KIP-814). */
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

export interface SyncRequest {
  readonly memberId: string
  readonly groupInstanceId: string | null
  readonly generationId: number
  readonly protocolType: string | null
  readonly protocolName: string | null
  readonly assignments: readonly { readonly memberId: string; readonly assignment: Buffer }[]
}

export interface SyncResult {
  readonly errorCode: ErrorCode
  readonly protocolType: string | null
  readonly protocolName: string | null
  readonly assignment: Buffer
}

const NO_BYTES = Buffer.alloc(0)

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
