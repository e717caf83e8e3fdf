import { setImmediate } from 'node:timers'
import { type Leadership, shrunk } from '../cluster/leadership.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { failureOf, ProtocolError } from '../protocol/protocol-error.ts'
import { copyChunk, truncateDiverging } from './copying.ts'
import type { Replica } from './replica.ts'

export interface ReplicaSetOptions {
  readonly index: number
  readonly leadership: Leadership
  /** How many replicas the topic wants in sync. */
  readonly minInsync: number
  readonly isLive: (nodeId: number) => boolean
  readonly openReplica: (nodeId: number) => Replica
  readonly save: (leadership: Leadership) => void
  /** Called when a live replica is not in sync and has to copy. */
  readonly onBehind: (replicas: ReplicaSet, nodeId: number) => void
  /** Called when there is more to read, or the leader is another. */
  readonly onProgress: () => void
}

/** The replicas of a partition on the brokers that live. Those in sync copy from the leader at once or soon. */
export class ReplicaSet {
  readonly #options: ReplicaSetOptions
  readonly #open = new Map<number, Replica>()
  /** Followers that may have what the leader has not. */
  readonly #unchecked = new Set<number>()
  #leadership: Leadership
  #leader: Replica | undefined
  #minInsync: number
  #highWatermark: number | undefined
  #isCopying = false

  constructor(options: ReplicaSetOptions) {
    this.#options = options
    this.#minInsync = options.minInsync
    this.#leadership = options.leadership
    this.settle()
  }

  get leadership(): Leadership {
    return this.#leadership
  }

  /** Undefined while no broker leads. */
  get leader(): Replica | undefined {
    return this.#leader
  }

  get all(): readonly Replica[] {
    return [...this.#open.values()]
  }

  /** The replica of a broker that lives. */
  on(nodeId: number): Replica | undefined {
    return this.#open.get(nodeId)
  }

  /** Replicas whose broker does not live. */
  get offline(): readonly number[] {
    return this.#leadership.replicas.filter((id) => !this.#options.isLive(id))
  }

  /** Before it, all replicas in sync have every record. */
  get highWatermark(): number {
    return this.#highWatermark ?? 0
  }

  set minInsync(minInsync: number) {
    this.#minInsync = minInsync
    this.#advance()
  }

  /** @throws {ProtocolError} when this broker does not lead, or the client knows an older or newer leader than this (KIP-320) */
  checkLeader(nodeId: number, epoch: number): void {
    this.#checkEpoch(nodeId, epoch)
    if (this.#leadership.leader !== nodeId) throw this.#notHere(nodeId)
  }

  /** Like {@link checkLeader}, but a follower in sync will do (KIP-392). */
  checkReadable(nodeId: number, epoch: number): void {
    this.#checkEpoch(nodeId, epoch)
    const isInSync = this.#open.has(nodeId) && this.#leadership.isr.includes(nodeId)
    if (!this.#leader || !isInSync) throw this.#notHere(nodeId)
  }

  #checkEpoch(nodeId: number, epoch: number): void {
    const current = this.#leadership.epoch
    if (epoch < 0 || epoch === current) return
    if (!this.#open.has(nodeId)) throw this.#notHere(nodeId)
    const errorCode = epoch < current ? ErrorCode.FENCED_LEADER_EPOCH : ErrorCode.UNKNOWN_LEADER_EPOCH
    throw new ProtocolError(errorCode, `the leader epoch of partition ${this.#options.index} is ${current}`)
  }

  #notHere(nodeId: number): ProtocolError {
    const message = `broker ${nodeId} does not lead partition ${this.#options.index}`
    return new ProtocolError(ErrorCode.NOT_LEADER_OR_FOLLOWER, message)
  }

  get #isUnderMin(): boolean {
    const { isr, replicas } = this.#leadership
    return isr.length < this.#minInsync && isr.length < replicas.length
  }

  /** @throws {ProtocolError} with this code when fewer replicas are in sync than the topic wants */
  checkInSync(errorCode: ErrorCode): void {
    if (!this.#isUnderMin) return
    const { isr } = this.#leadership
    throw new ProtocolError(errorCode, `The size of the current ISR Set(${isr.join(', ')}) is insufficient.`)
  }

  /** Call after the leader has appended: followers copy at once, or soon with the other batches of this turn of the event loop. */
  replicate({ atOnce }: { readonly atOnce: boolean }): void {
    if (this.#open.size > 1 && atOnce) this.copyInSync()
    else if (this.#open.size > 1) this.#copySoon()
    this.#advance()
  }

  /** A leader that is killed before has these batches alone. */
  #copySoon(): void {
    if (this.#isCopying) return
    this.#isCopying = true
    setImmediate(() => {
      this.#isCopying = false
      this.copyInSync()
    })
  }

  /** Lets all followers in sync copy what they have not yet; one that cannot is not in sync any more. */
  copyInSync(): void {
    for (const id of this.#leadership.isr) {
      if (!this.#canCopyAll(id)) this.change(shrunk(this.#leadership, (each) => each === id))
    }
    this.#advance()
  }

  /** Lets those in sync copy everything, so that any of them can lead, and then changes the leadership. */
  handOver(change: (leadership: Leadership) => Leadership): void {
    this.copyInSync()
    this.change(change(this.#leadership))
  }

  /** Saves another leadership and takes it over. */
  change(leadership: Leadership): void {
    if (leadership === this.#leadership) return
    this.#options.save(leadership)
    this.lead(leadership)
  }

  #canCopyAll(nodeId: number): boolean {
    try {
      while (this.copyTo(nodeId) === 'more');
      return true
    } catch (error) {
      failureOf(error)
      return false
    }
  }

  /** Copies some batches to a follower: whether there are more for it; nothing where there is no leader or follower. */
  copyTo(nodeId: number): 'more' | 'all' | 'nothing' {
    const follower = this.#open.get(nodeId)
    const leader = this.#leader
    if (!leader || !follower || follower === leader) return 'nothing'
    if (this.#unchecked.has(nodeId)) truncateDiverging(leader, follower)
    this.#unchecked.delete(nodeId)
    return copyChunk(leader, follower) ? 'more' : 'all'
  }

  /** The lowest offset that a replica in sync is at. */
  #lowestEnd(leader: Replica): number {
    if (this.#open.size === 1) return leader.endOffset
    const ends = this.#leadership.isr.flatMap((id) => this.#open.get(id)?.endOffset ?? [])
    return Math.min(leader.endOffset, ...ends)
  }

  /** As in Apache Kafka, readers see nothing more while fewer replicas are in sync than the topic wants. */
  #advance(): void {
    if (!this.#leader || this.#isUnderMin) return
    const end = this.#lowestEnd(this.#leader)
    if (end <= this.highWatermark) return
    this.#highWatermark = end
    this.#options.onProgress()
  }

  /** Takes over a leadership that was saved: opens and removes replicas, and lets them follow the leader. */
  lead(leadership: Leadership): void {
    if (leadership.epoch !== this.#leadership.epoch) for (const id of this.#open.keys()) this.#unchecked.add(id)
    this.#leadership = leadership
    this.settle()
    this.#options.onProgress()
  }

  /** Opens and closes replicas as the leadership says and the brokers live. */
  settle(): void {
    const { replicas, leader: leaderId, isr } = this.#leadership
    const { isLive, openReplica, onBehind } = this.#options
    for (const [id, replica] of this.#open) {
      if (replicas.includes(id)) continue
      this.#open.delete(id)
      replica.remove()
    }
    for (const id of replicas) {
      if (!isLive(id) || this.#open.has(id)) continue
      this.#open.set(id, openReplica(id))
      this.#unchecked.add(id)
    }
    const leader = this.#open.get(leaderId)
    this.#leader = leader
    if (!leader) return
    // What is known from before a restart: at least all replicas in sync have it. An unclean leader may have less than readers have seen.
    this.#highWatermark = Math.min(this.#highWatermark ?? this.#lowestEnd(leader), leader.endOffset)
    if (this.#open.size > 1) this.copyInSync()
    else this.#advance()
    for (const id of this.#open.keys()) if (!isr.includes(id)) onBehind(this, id)
  }

  /** Call when a broker goes; one that is killed saves nothing. */
  closeReplica(nodeId: number, { isKilled }: { readonly isKilled: boolean }): void {
    const replica = this.#open.get(nodeId)
    this.#open.delete(nodeId)
    if (replica === this.#leader) this.#leader = undefined
    if (isKilled) replica?.abandon()
    else replica?.close()
  }

  close(): void {
    for (const replica of this.#open.values()) replica.close()
    this.#forget()
  }

  remove(): void {
    for (const replica of this.#open.values()) replica.remove()
    this.#forget()
    this.#options.onProgress()
  }

  #forget(): void {
    this.#open.clear()
    this.#leader = undefined
  }
}
