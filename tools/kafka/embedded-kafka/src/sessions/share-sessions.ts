import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { SHARE_SESSION_SLOTS } from '../settings/share-settings.ts'

/** Of all sessions together. */
const MAX_PARTITIONS = 200_000
/** In place of an epoch: a request that begins a session, and one that ends it. */
export const FIRST_EPOCH = 0
export const LAST_EPOCH = -1

export interface SharedPartition {
  readonly topicId: string
  readonly index: number
}

/** The partitions that a member of a share group reads from this broker, kept between its requests. */
export interface ShareSession extends SessionMember {
  /** In the order in which they are read. */
  readonly partitions: ReadonlyMap<string, SharedPartition>
}

interface Open extends ShareSession {
  readonly partitions: Map<string, SharedPartition>
  /** Of the next request. */
  epoch: number
  stopWatching(): void
}

/** A member of a share group, as it names itself in requests for records. */
export interface SessionMember {
  readonly groupId: string
  readonly memberId: string
}

function keyOf({ groupId, memberId }: SessionMember): string {
  return JSON.stringify([groupId, memberId])
}

function rowOf({ topicId, index }: SharedPartition): string {
  return `${topicId}/${index}`
}

/** The share sessions of one broker (KIP-932). They end with the connection that began them. */
export class ShareSessions {
  readonly #sessions = new Map<string, Open>()
  readonly #release: (session: ShareSession) => void

  /** `release` is called with each session that ends: its member has nothing of it any more. */
  constructor(release: (session: ShareSession) => void) {
    this.#release = release
  }

  get #partitionCount(): number {
    let count = 0
    for (const { partitions } of this.#sessions.values()) count += partitions.size
    return count
  }

  /**
   * Begins a session in place of one that the member had, which releases nothing.
   * @throws {ProtocolError} SHARE_SESSION_LIMIT_REACHED when there are too many
   */
  open(member: SessionMember, partitions: readonly SharedPartition[], connection: AbortSignal): ShareSession {
    const key = keyOf(member)
    this.#sessions.get(key)?.stopWatching()
    this.#sessions.delete(key)
    if (this.#sessions.size >= SHARE_SESSION_SLOTS || this.#partitionCount + partitions.length > MAX_PARTITIONS) {
      throw limitReached()
    }
    const onGone = (): void => this.#end(key)
    const session: Open = {
      ...member,
      partitions: new Map(partitions.map((each) => [rowOf(each), each])),
      epoch: 1,
      stopWatching: () => connection.removeEventListener('abort', onGone),
    }
    this.#sessions.set(key, session)
    if (connection.aborted) onGone()
    else connection.addEventListener('abort', onGone, { once: true })
    return session
  }

  /**
   * Goes on with the next request of a session.
   * @throws {ProtocolError} SHARE_SESSION_NOT_FOUND, INVALID_SHARE_SESSION_EPOCH
   */
  continue(member: SessionMember, epoch: number): ShareSession {
    const session = this.#require(member)
    if (session.epoch !== epoch) throw invalidEpoch()
    session.epoch = session.epoch === 2_147_483_647 ? 1 : session.epoch + 1
    return session
  }

  /** @throws {ProtocolError} SHARE_SESSION_LIMIT_REACHED when there are too many partitions */
  update(member: SessionMember, added: readonly SharedPartition[], forgotten: readonly SharedPartition[]): void {
    const { partitions } = this.#require(member)
    for (const each of forgotten) partitions.delete(rowOf(each))
    const fresh = added.filter((each) => !partitions.has(rowOf(each)))
    if (fresh.length > 0 && this.#partitionCount + fresh.length > MAX_PARTITIONS) throw limitReached()
    for (const each of fresh) partitions.set(rowOf(each), each)
  }

  /** @throws {ProtocolError} SHARE_SESSION_NOT_FOUND */
  check(member: SessionMember): void {
    this.#require(member)
  }

  /** What has given something is read last the next time, so that all get their turn. */
  readLast(member: SessionMember, partition: SharedPartition): void {
    const partitions = this.#sessions.get(keyOf(member))?.partitions
    if (partitions?.delete(rowOf(partition))) partitions.set(rowOf(partition), partition)
  }

  /** Ends a session, and releases what its member has. */
  close(member: SessionMember): void {
    this.#end(keyOf(member))
  }

  #require(member: SessionMember): Open {
    const session = this.#sessions.get(keyOf(member))
    if (session) return session
    throw new ProtocolError(ErrorCode.SHARE_SESSION_NOT_FOUND, 'The share session was not found.')
  }

  #end(key: string): void {
    const session = this.#sessions.get(key)
    if (!session) return
    session.stopWatching()
    this.#sessions.delete(key)
    this.#release(session)
  }
}

function limitReached(): ProtocolError {
  return new ProtocolError(ErrorCode.SHARE_SESSION_LIMIT_REACHED, 'The limit of share sessions has been reached.')
}

/** A request that does not follow the one before. */
export function invalidEpoch(): ProtocolError {
  return new ProtocolError(ErrorCode.INVALID_SHARE_SESSION_EPOCH, 'The share session epoch is invalid.')
}
