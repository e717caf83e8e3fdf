import { expanded } from '../cluster/leadership.ts'
import { failureOf } from '../protocol/protocol-error.ts'
import { Turn } from '../turn.ts'
import type { ReplicaSet } from './replica-set.ts'

/** How long a follower rests that could not write. */
const RETRY_MS = 1000

/** Lets replicas that are not in sync copy until they are, between requests and by turns. */
export class CatchUp {
  readonly #isLive: (nodeId: number) => boolean
  readonly #waiting = new Map<ReplicaSet, Set<number>>()
  #isRunning = false
  #isClosed = false
  #retry: NodeJS.Timeout | undefined

  constructor(isLive: (nodeId: number) => boolean) {
    this.#isLive = isLive
  }

  /** Call with a live replica that is not in sync. */
  expect(replicas: ReplicaSet, nodeId: number): void {
    const nodes = this.#waiting.get(replicas) ?? new Set()
    this.#waiting.set(replicas, nodes.add(nodeId))
    this.#start()
  }

  #start(): void {
    if (this.#isRunning || this.#isClosed || this.#retry) return
    this.#isRunning = true
    // The caller is still changing leaderships.
    setImmediate(() => void this.#run())
  }

  async #run(): Promise<void> {
    const turn = new Turn()
    let isBlocked = false
    while (this.#waiting.size > 0 && !isBlocked && !this.#isClosed) {
      isBlocked = true
      for (const [replicas, nodes] of this.#waiting) {
        for (const nodeId of nodes) {
          if (this.#isClosed) return
          const outcome = this.#copy(replicas, nodeId)
          if (outcome !== 'failed') isBlocked = false
          if (outcome === 'done') nodes.delete(nodeId)
          await turn.giveWay()
        }
        if (nodes.size === 0) this.#waiting.delete(replicas)
      }
    }
    this.#isRunning = false
    if (isBlocked && this.#waiting.size > 0) this.#startLater()
  }

  #startLater(): void {
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.#start()
    }, RETRY_MS)
    this.#retry.unref()
  }

  #copy(replicas: ReplicaSet, nodeId: number): 'more' | 'done' | 'failed' {
    try {
      const outcome = replicas.copyTo(nodeId)
      if (outcome === 'more') return 'more'
      if (outcome === 'all') replicas.handOver((leadership) => expanded(leadership, nodeId, this.#isLive))
      return 'done'
    } catch (error) {
      // The disk of one broker is full or gone: the others go on.
      failureOf(error)
      return 'failed'
    }
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
  }
}
